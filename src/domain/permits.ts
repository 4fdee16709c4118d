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
  readonly signal?: AbortSignal | undefined;
  /** When it gives up, by `performance.now()`, where it has waited elsewhere before. */
  readonly until?: number;
}

interface Waiting {
  readonly organizationId: string;
  /** Its place among all that have come. */
  readonly arrival: number;
  begin(): void;
}

/**
 * Limits how many operations run at the same time. The next to run belongs to the organization with the fewest running that has not
 * reached its share; within an organization, operations run in order of arrival. Queueing, leaving and giving up take the same time
 * however many of an organization wait.
 */
export class Permits {
  readonly #options: PermitOptions;
  readonly #held = new Map<string, number>();
  #free: number;
  /** In order of arrival, of each organization that waits. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #arrivals = 0;

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
    const next = this.#next(organizationId);
    if (!next) return;
    // The next one takes the permit in the same tick, so that no new one can take it first.
    this.#take(next.organizationId);
    this.#leave(next);
    next.begin();
  }

  #next(released: string): Waiting | undefined {
    // Where there is a share for each, nobody waits for another's.
    const organizations =
      this.#options.atOnce === Number.POSITIVE_INFINITY ? [released] : this.#waiting.keys();
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const organizationId of organizations) {
      const [first] = this.#waiting.get(organizationId) ?? [];
      if (!first || !this.#hasRoom(organizationId)) continue;
      const held = this.#heldBy(organizationId);
      if (held > fewest || (held === fewest && first.arrival > next!.arrival)) continue;
      [next, fewest] = [first, held];
    }
    return next;
  }

  #heldBy(organizationId: string): number {
    return this.#held.get(organizationId) ?? 0;
  }

  #leave(one: Waiting): void {
    const own = this.#waiting.get(one.organizationId);
    own?.delete(one);
    if (own?.size === 0) this.#waiting.delete(one.organizationId);
  }

  #wait({ organizationId, signal, until = Number.POSITIVE_INFINITY }: Applicant): Promise<void> {
    const { waitingPerOrganization, longestWaitMs, refusal } = this.#options;
    const own = this.#waiting.get(organizationId) ?? new Set();
    if (own.size >= waitingPerOrganization) throw refusal();
    this.#waiting.set(organizationId, own);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      this.#arrivals += 1;
      const waiting = { organizationId, arrival: this.#arrivals, begin: () => settle(resolve) };
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
