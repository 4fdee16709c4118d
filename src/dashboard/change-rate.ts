import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';

const minute = 60_000;

/**
 * Limits how much a person, a session or an organization changes within a time, on a node. A page makes a few changes. Each is an
 * entry of an audit log, which is never deleted: without a limit, a member or a stolen session could fill the disk.
 */
export class ChangeRate {
  readonly #most: number;
  readonly #changes: LRUCache<string, number>;

  /**
   * @param most changes of one holder within the time
   * @param withinMs milliseconds, from a holder's first change on
   */
  constructor(most: number, withinMs = minute) {
    this.#most = most;
    this.#changes = new LRUCache({ max: 50_000, ttl: withinMs, noUpdateTTL: true });
  }

  /**
   * Counts changes before they are made, so that neither parallel requests nor a closed connection escape. Throws
   * `too_many_changes`, and counts none of them, where they are more than are left.
   *
   * @param changes how many one request makes
   */
  take(holder: string, changes = 1): void {
    // Also drops the count of a time that has passed.
    const count = this.#changes.get(holder) ?? 0;
    if (count + changes <= this.#most) {
      this.#changes.set(holder, count + changes);
      return;
    }
    const left = this.#changes.getRemainingTTL(holder);
    throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, Math.ceil(left / 1000)) });
  }
}
