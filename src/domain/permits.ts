interface PermitOptions {
  /** Operations that may run at the same time. */
  readonly atOnce: number;
  /** Of those, the most for one organization. */
  readonly perOrganization: number;
  /** Of all, those that only an organization without any may take: a few organizations with full shares leave others these. */
  readonly reserved?: number;
  /** Operations of one organization that may wait; one more is refused. */
  readonly waitingPerOrganization: number;
  /** Longest wait, in milliseconds, before an operation is refused. */
  readonly longestWaitMs: number;
  /** The error for a refused operation. */
  refusal(): Error;
}

/** The organization that needs a permit, and a signal that aborts the wait. */
export interface Applicant {
  readonly organizationId: string;
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly organizationId: string;
  begin(): void;
}

/**
 * Limits how many operations run at the same time. The next to run belongs to the organization with the fewest running that has not
 * reached its share; within an organization, operations run in order of arrival.
 */
export class Permits {
  readonly #options: PermitOptions;
  readonly #held = new Map<string, number>();
  #free: number;
  #waiting: Waiting[] = [];

  constructor(options: PermitOptions) {
    this.#options = options;
    this.#free = options.atOnce;
  }

  /** Throws `refusal()` when the queue is full or the wait too long, and the signal's reason when aborted while waiting. */
  async use<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { organizationId, signal } = applicant;
    signal?.throwIfAborted();
    if (this.#hasRoom(organizationId)) this.#take(organizationId);
    else await this.#wait(applicant);
    try {
      return await work();
    } finally {
      this.#release(organizationId);
    }
  }

  #hasRoom(organizationId: string): boolean {
    const { perOrganization, reserved = 0 } = this.#options;
    const held = this.#heldBy(organizationId);
    return this.#free > (held > 0 ? reserved : 0) && held < perOrganization;
  }

  #take(organizationId: string): void {
    this.#free -= 1;
    this.#held.set(organizationId, this.#heldBy(organizationId) + 1);
  }

  #release(organizationId: string): void {
    this.#free += 1;
    const left = this.#heldBy(organizationId) - 1;
    if (left === 0) this.#held.delete(organizationId);
    else this.#held.set(organizationId, left);
    const next = this.#next();
    if (!next) return;
    // The next one takes the permit in the same tick, so that no new one can take it first.
    this.#take(next.organizationId);
    this.#leave(next);
    next.begin();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      const { organizationId } = waiting;
      if (!this.#hasRoom(organizationId)) continue;
      if (!next || this.#heldBy(organizationId) < this.#heldBy(next.organizationId)) next = waiting;
    }
    return next;
  }

  #heldBy(organizationId: string): number {
    return this.#held.get(organizationId) ?? 0;
  }

  #leave(one: Waiting): void {
    this.#waiting = this.#waiting.filter(waiting => waiting !== one);
  }

  #wait({ organizationId, signal }: Applicant): Promise<void> {
    const { waitingPerOrganization, longestWaitMs, refusal } = this.#options;
    const own = this.#waiting.filter(waiting => waiting.organizationId === organizationId);
    if (own.length >= waitingPerOrganization) throw refusal();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      const waiting = { organizationId, begin: () => settle(resolve) };
      const giveUp = (reason: unknown) => {
        this.#leave(waiting);
        settle(() => reject(reason));
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(refusal()), longestWaitMs);
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
    });
  }
}
