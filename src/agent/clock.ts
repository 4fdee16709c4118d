/** Milliseconds of difference that are not corrected: the `Date` header has whole seconds. */
const tolerance = 2_000;

/** Times that a service can have. */
const plausible = { from: Date.UTC(2020, 0), to: Date.UTC(2100, 0) };

const isPlausible = (time: number) => time >= plausible.from && time < plausible.to;

/** The service's time, as its answers show it. */
export class Clock {
  #offset: number | null;

  /** @param offset the last known one, in milliseconds; null if the service has never answered */
  constructor(offset: number | null = null) {
    // Of a damaged file, or of a clock that was set since.
    this.#offset = offset !== null && isPlausible(Date.now() + offset) ? offset : null;
  }

  /** Milliseconds that the service's clock is ahead; null if unknown. */
  get offset(): number | null {
    return this.#offset;
  }

  /** Milliseconds since 1970, by the service's clock. */
  now(): number {
    return Date.now() + (this.#offset ?? 0);
  }

  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** When this process started, also if the clock was wrong then. */
  processStartedAt(): string {
    return new Date(this.now() - process.uptime() * 1000).toISOString();
  }

  /**
   * Learns from an answer's `Date` header.
   *
   * @param sentAt when the request was sent, by this machine's clock
   * @returns the correction in milliseconds; 0 if the clock was right
   */
  learn(date: string | undefined, sentAt: number): number {
    const service = Date.parse(date ?? '');
    if (!isPlausible(service)) return 0;
    // The header is cut to seconds, and was written between sending and now.
    const offset = service + 500 - (sentAt + Date.now()) / 2;
    const correction = offset - (this.#offset ?? 0);
    if (Math.abs(correction) <= tolerance) {
      this.#offset ??= 0;
      return 0;
    }
    this.#offset = Math.abs(offset) <= tolerance ? 0 : Math.round(offset);
    return correction;
  }
}

/**
 * An event that was recorded while the service's time was unknown, with its times corrected. Times are the values of
 * fields that end with `_at`, and of `since`, `from` and `to`.
 *
 * @param except names of fields that stay as they are, with all that is in them
 */
export function shiftTimes<T>(value: T, milliseconds: number, except: readonly string[] = []): T {
  if (Array.isArray(value)) return value.map(entry => shiftTimes(entry, milliseconds, except)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const shifted = Object.entries(value).map(([name, entry]) => {
    if (except.includes(name)) return [name, entry];
    const isTime =
      typeof entry === 'string' && /_at$|^(since|from|to)$/.test(name) && !Number.isNaN(Date.parse(entry));
    return [
      name,
      isTime
        ? new Date(Date.parse(entry) + milliseconds).toISOString()
        : shiftTimes(entry, milliseconds, except),
    ];
  });
  return Object.fromEntries(shifted) as T;
}
