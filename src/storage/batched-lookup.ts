interface Waiting<Asked, Found> {
  readonly asked: Asked;
  readonly result: Promise<Found | undefined>;
  resolve(found: Found | undefined): void;
  reject(error: unknown): void;
}

const largestBatch = 500;

/** As much is waiting as may wait: nothing was asked of the database. */
export class LookupRefused extends Error {
  override name = 'LookupRefused';
}

/**
 * Looks up what anybody may ask for: one query is under way at a time, what is asked for meanwhile goes into the next, each
 * thing once. However much junk arrives, it takes one connection, and what is asked for in earnest waits for two queries.
 */
export class BatchedLookup<Asked, Found> {
  readonly #query: (batch: readonly Asked[]) => Promise<readonly (Found | undefined)[]>;
  readonly #keyOf: (asked: Asked) => string;
  readonly #most: number;
  #waiting = new Map<string, Waiting<Asked, Found>>();
  #busy = false;

  /**
   * @param query finds each of a batch, in its order
   * @param keyOf equal for two that have the same answer
   * @param most things that may wait; one more is refused at once
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

  /** Rejects with `LookupRefused`, or with what the database said. */
  find(asked: Asked): Promise<Found | undefined> {
    const key = this.#keyOf(asked);
    const same = this.#waiting.get(key);
    if (same) return same.result;
    if (this.#waiting.size >= this.#most) return Promise.reject(new LookupRefused());
    const { promise, resolve, reject } = deferred<Found | undefined>();
    this.#waiting.set(key, { asked, result: promise, resolve, reject });
    if (!this.#busy) void this.#drain();
    return promise;
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.entries()].slice(0, largestBatch);
      // Who asks from now on gets an answer that was looked for after that.
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

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
