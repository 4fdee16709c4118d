interface PermitOptions {
  /** Operations that may run at the same time. */
  readonly atOnce: number;
  /** Of those, the most for one holder. */
  readonly perHolder: number;
  /** Of all, those that only a holder without any may take: a few holders with full shares leave others these. */
  readonly reserved?: number;
  /** Operations of one holder that may wait; one more is refused. */
  readonly waitingPerHolder: number;
  /** Longest wait, in milliseconds, before an operation is refused. */
  readonly longestWaitMs: number;
  /** The error for a refused operation. */
  refusal(): Error;
}

/** One that needs a permit, and a signal that aborts the wait. */
export interface Applicant {
  /** Whose share the permit counts for: an organization, a person, a network. */
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
  /** When it gives up, by `performance.now()`, where it has waited elsewhere before. */
  readonly until?: number;
}

interface Waiting {
  readonly holder: string;
  /** Its place among all that have come. */
  readonly arrival: number;
  begin(): void;
}

/**
 * Limits how many operations run at the same time. The next to run belongs to the holder with the fewest running that has not
 * reached its share; operations of one holder run in order of arrival. Queueing, leaving and giving up take the same time however many
 * of a holder wait.
 */
export class Permits {
  readonly #options: PermitOptions;
  readonly #held = new Map<string, number>();
  #free: number;
  /** In order of arrival, of each holder that waits. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #arrivals = 0;

  constructor(options: PermitOptions) {
    this.#options = options;
    this.#free = options.atOnce;
  }

  /** Throws `refusal()` when the queue is full or the wait too long, and the signal's reason when aborted while waiting. */
  async use<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { holder, signal } = applicant;
    signal?.throwIfAborted();
    if (this.#hasRoom(holder)) this.#take(holder);
    else await this.#wait(applicant);
    try {
      return await work();
    } finally {
      this.#release(holder);
    }
  }

  #hasRoom(holder: string): boolean {
    const { perHolder, reserved = 0 } = this.#options;
    const held = this.#heldBy(holder);
    return this.#free > (held > 0 ? reserved : 0) && held < perHolder;
  }

  #take(holder: string): void {
    this.#free -= 1;
    this.#held.set(holder, this.#heldBy(holder) + 1);
  }

  #release(holder: string): void {
    this.#free += 1;
    const left = this.#heldBy(holder) - 1;
    if (left === 0) this.#held.delete(holder);
    else this.#held.set(holder, left);
    const next = this.#next(holder);
    if (!next) return;
    // The next one takes the permit in the same tick, so that no new one can take it first.
    this.#take(next.holder);
    this.#leave(next);
    next.begin();
  }

  #next(released: string): Waiting | undefined {
    // Where there is a share for each, nobody waits for another's.
    const holders = this.#options.atOnce === Number.POSITIVE_INFINITY ? [released] : this.#waiting.keys();
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const holder of holders) {
      const [first] = this.#waiting.get(holder) ?? [];
      if (!first || !this.#hasRoom(holder)) continue;
      const held = this.#heldBy(holder);
      if (held > fewest || (held === fewest && first.arrival > next!.arrival)) continue;
      [next, fewest] = [first, held];
    }
    return next;
  }

  #heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  #leave(one: Waiting): void {
    const own = this.#waiting.get(one.holder);
    own?.delete(one);
    if (own?.size === 0) this.#waiting.delete(one.holder);
  }

  #wait({ holder, signal, until = Number.POSITIVE_INFINITY }: Applicant): Promise<void> {
    const { waitingPerHolder, longestWaitMs, refusal } = this.#options;
    const own = this.#waiting.get(holder) ?? new Set();
    if (own.size >= waitingPerHolder) throw refusal();
    this.#waiting.set(holder, own);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      this.#arrivals += 1;
      const waiting = { holder, arrival: this.#arrivals, begin: () => settle(resolve) };
      const giveUp = (reason: unknown) => {
        this.#leave(waiting);
        settle(() => reject(reason));
      };
      const onAbort = () => giveUp(signal?.reason);
      const waitMs = Math.min(longestWaitMs, until - performance.now());
      const timer = setTimeout(() => giveUp(refusal()), waitMs);
      signal?.addEventListener('abort', onAbort);
      own.add(waiting);
    });
  }
}
