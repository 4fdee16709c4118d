/** Delays between attempts: exponential with full jitter, so that many probes do not return at the same moment. */
export class BackOff {
  readonly #baseMs: number;
  readonly #mostMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor(baseMs: number, mostMs: number, random = Math.random) {
    this.#baseMs = baseMs;
    this.#mostMs = mostMs;
    this.#random = random;
  }

  /** The delay before the next attempt, in milliseconds. */
  next(): number {
    const limit = Math.min(this.#mostMs, this.#baseMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.round(limit * this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
