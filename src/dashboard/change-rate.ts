import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';

/** Changes of one person in organizations within a minute, on a node. A page makes a few; many at once are one request. */
const most = 300;
const minute = 60_000;

/**
 * Limits how much a person changes. Each change is an entry of the audit log, which is never deleted: without a limit, a member
 * or a stolen session could fill the disk.
 */
export class ChangeRate {
  readonly #changes = new LRUCache<string, number>({ max: 50_000, ttl: minute, noUpdateTTL: true });

  /** Counts a change before it is made, so that neither parallel requests nor a closed connection escape. Throws `too_many_changes`. */
  take(personId: string): void {
    // Also drops the count of a minute that has passed.
    const count = this.#changes.get(personId) ?? 0;
    if (count < most) {
      this.#changes.set(personId, count + 1);
      return;
    }
    const left = this.#changes.getRemainingTTL(personId);
    throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, Math.ceil(left / 1000)) });
  }

  /** The change was refused or failed. */
  giveBack(personId: string): void {
    const count = this.#changes.get(personId);
    if (count) this.#changes.set(personId, count - 1);
  }
}
