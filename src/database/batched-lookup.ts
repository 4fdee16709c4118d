interface Waiting<Asked, Found> {
  readonly asked: Asked;
  readonly result: Promise<Found | undefined>;
  resolve(found: Found | undefined): void;
  reject(error: unknown): void;
}

const largestBatch = 500;

/** The queue is full, and the database was not queried. */
export class LookupRefused extends Error {
  override name = 'LookupRefused';
}

/**
 * Lookups that unauthenticated requests can cause. One query runs at a time, and keys that arrive meanwhile are queried
 * once each in the next batch. A flood occupies one connection, and a valid lookup waits for at most two queries.
 */
export class BatchedLookup<Asked, Found> {
  readonly #query: (batch: readonly Asked[]) => Promise<readonly (Found | undefined)[]>;
  readonly #keyOf: (asked: Asked) => string;
  readonly #most: number;
  #waiting = new Map<string, Waiting<Asked, Found>>();
  #busy = false;

  /**
   * @param query finds the values of a batch, in its order
   *
   * @param keyOf equal for lookups with the same result
   * @param most lookups that may wait; further ones are refused at once
   */
  constructor(
    query: (batch: readonly Asked[]) => Promise<readonly (Found | undefined)[]>,
    keyOf: (asked: Asked) => string,
    most = 5_000,
  ) {
    this.#query = query;
    this.#keyOf = keyOf;
    this.#most = most;
  }

  /** Rejects with `LookupRefused`, or with the error of the database. */
  find(asked: Asked): Promise<Found | undefined> {
    const key = this.#keyOf(asked);
    const same = this.#waiting.get(key);
    if (same) return same.result;
    if (this.#waiting.size >= this.#most) return Promise.reject(new LookupRefused());
    let settle!: Pick<Waiting<Asked, Found>, 'resolve' | 'reject'>;
    const result = new Promise<Found | undefined>((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#waiting.set(key, { asked, result, ...settle });
    if (!this.#busy) void this.#drain();
    return result;
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.entries()].slice(0, largestBatch);
      // A later caller must not get a result that was read before its request arrived.
      for (const [key] of batch) this.#waiting.delete(key);
      try {
        const found = await this.#query(batch.map(([, { asked }]) => asked));
        batch.forEach(([, waiting], index) => void waiting.resolve(found[index]));
      } catch (error) {
        for (const [, waiting] of batch) waiting.reject(error);
      }
    }
    this.#busy = false;
  }
}
