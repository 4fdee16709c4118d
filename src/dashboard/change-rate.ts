import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';

const minute = 60_000;

/**
 * Limits how much a person or a session changes within a minute, on a node. A page makes a few changes; many at once are one
 * request. Each is an entry of an audit log, which is never deleted: without a limit, a member or a stolen session could fill the
 * disk.
 */
export class ChangeRate {
  readonly #most: number;
  readonly #changes = new LRUCache<string, number>({ max: 50_000, ttl: minute, noUpdateTTL: true });

  /** @param most changes of one holder within a minute */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a change before it is made, so that neither parallel requests nor a closed connection escape. Throws `too_many_changes`. */
  take(holder: string): void {
    // Also drops the count of a minute that has passed.
    const count = this.#changes.get(holder) ?? 0;
    if (count < this.#most) {
      this.#changes.set(holder, count + 1);
      return;
    }
    const left = this.#changes.getRemainingTTL(holder);
    throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, Math.ceil(left / 1000)) });
  }
}
