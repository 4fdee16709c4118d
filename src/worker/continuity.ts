/** Time without a turn after which what happened meanwhile is unknown. */
const longestGapMs = 60_000;

/** Whether the service has run without a gap: not after a start, an outage of the database or a pause of the machine. */
export class Continuity {
  #since = 0;
  #last = Number.NEGATIVE_INFINITY;

  /**
   * Does the work of a turn. One that fails is none.
   *
   * @param work gets the milliseconds for which turns have followed each other
   */
  async turn(work: (ms: number) => Promise<void>): Promise<void> {
    const now = Date.now();
    if (now < this.#last || now - this.#last > longestGapMs) this.#since = now;
    await work(now - this.#since);
    this.#last = Date.now();
  }
}
