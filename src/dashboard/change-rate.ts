import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';

const minute = 60_000;

/**
 * Limits the changes of a person, a session or an organization within a time window, per node. Each change adds an entry to
 * an audit log that is never deleted, so without a limit a member or a stolen session could fill the disk.
 */
export class ChangeRate {
  readonly #most: number;
  readonly #changes: LRUCache<string, number>;

  /**
   * @param most changes per holder within the window
   * @param withinMs length of the window in milliseconds, from the first change of a holder
   */
  constructor(most: number, withinMs = minute) {
    this.#most = most;
    // `max` would allocate 2 MB for the most entries at once.
    this.#changes = new LRUCache({
      maxSize: 50_000,
      sizeCalculation: () => 1,
      ttl: withinMs,
      noUpdateTTL: true,
    });
  }

  /**
   * Counts changes before they are made, so that parallel requests and closed connections count too. Throws
   * `too_many_changes`, without counting any of them, if they exceed the limit.
   *
   * @param changes number of changes that the request makes
   */
  take(holder: string, changes = 1): void {
    // Also drops the count of an expired window.
    const count = this.#changes.get(holder) ?? 0;
    if (count + changes <= this.#most) {
      this.#changes.set(holder, count + changes);
      return;
    }
    const left = this.#changes.getRemainingTTL(holder);
    throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, Math.ceil(left / 1000)) });
  }
}
