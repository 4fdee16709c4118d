export interface PermitLimits {
  /** Maximum concurrent operations. */
  readonly atOnce: number;
  /** Maximum concurrent operations of one holder. */
  readonly perHolder: number;
  /** Permits that only a holder without any can take: holders at their limit cannot use up all permits. */
  readonly reserved?: number;
}

interface PermitOptions extends PermitLimits {
  /** Maximum queued operations of one holder; further ones are refused. */
  readonly waitingPerHolder: number;
  /** Maximum wait in milliseconds, after which an operation is refused. */
  readonly longestWaitMs: number;
  /** Creates the error of a refused operation. */
  refusal(): Error;
}

export interface Applicant {
  /** An organization, person or network, to which the permit is counted. */
  readonly holder: string;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the wait by `performance.now()`, if earlier than the maximum wait. */
  readonly until?: number;
}

interface Waiting {
  readonly holder: string;
  /** Position in the order of arrival. */
  readonly arrival: number;
  begin(): void;
}

/**
 * Limits concurrent operations fairly: the next operation is of the holder with the fewest running ones, and each holder's run in order
 * of arrival. Queueing and leaving take constant time per holder.
 */
export class Permits {
  readonly #options: PermitOptions;
  #limits: PermitLimits;
  readonly #held = new Map<string, number>();
  #free: number;
  /** By holder, in order of arrival. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #arrivals = 0;

  constructor(options: PermitOptions) {
    this.#options = options;
    this.#limits = options;
    this.#free = options.atOnce;
  }

  /** Operations that wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Changes finite limits. Operations beyond smaller ones go on; those that wait begin as far as larger ones permit. */
  limit(limits: PermitLimits): void {
    this.#free += limits.atOnce - this.#limits.atOnce;
    this.#limits = limits;
    while (this.#beginNext(this.#waiting.keys())) {}
  }

  /** Throws `refusal()` if the queue is full or the wait is too long, and the reason of the signal if aborted while waiting. */
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
    const { perHolder, reserved = 0 } = this.#limits;
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
    // Without a common limit, only this holder's operations can wait for the released permit.
    this.#beginNext(this.#limits.atOnce === Number.POSITIVE_INFINITY ? [holder] : this.#waiting.keys());
  }

  /** Returns whether a waiting operation has begun. */
  #beginNext(holders: Iterable<string>): boolean {
    const next = this.#next(holders);
    if (!next) return false;
    // In the same tick: a new operation must not take the permit first.
    this.#take(next.holder);
    this.#leave(next);
    next.begin();
    return true;
  }

  #next(holders: Iterable<string>): Waiting | undefined {
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
