interface Waiting {
  attempt(): void;
  fail(error: Error): void;
}

/** Tasks that wait for a process, or for memory, in the order of their arrival. */
export class ProcessQueue {
  readonly #waiting = new Set<Waiting>();
  readonly #tasksOf = new Map<string, number>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Whether a task of an organization waits that is not one of these. */
  hasOther(organizations: ReadonlySet<string>): boolean {
    return [...this.#tasksOf.keys()].some(organizationId => !organizations.has(organizationId));
  }

  /**
   * What `find` returns once it finds something; it is called with each `wake`. Rejects with its error, and with the signal's reason if
   * aborted.
   */
  wait<Found extends object>(
    organizationId: string,
    signal: AbortSignal,
    find: () => Found | undefined,
  ): Promise<Found> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        this.#count(organizationId, -1);
        signal.removeEventListener('abort', abort);
      };
      const fail = (error: Error) => {
        leave();
        reject(error);
      };
      const abort = () => fail(signal.reason);
      const attempt = () => {
        try {
          const found = find();
          if (!found) return;
          leave();
          resolve(found);
        } catch (error) {
          fail(error as Error);
        }
      };
      const waiting = { attempt, fail };
      this.#waiting.add(waiting);
      this.#count(organizationId, 1);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  /** A task has ended, or memory is free. */
  wake(): void {
    for (const { attempt } of this.#waiting) attempt();
  }

  close(error: Error): void {
    for (const { fail } of this.#waiting) fail(error);
  }

  #count(organizationId: string, change: 1 | -1): void {
    const tasks = (this.#tasksOf.get(organizationId) ?? 0) + change;
    if (tasks > 0) this.#tasksOf.set(organizationId, tasks);
    else this.#tasksOf.delete(organizationId);
  }
}
