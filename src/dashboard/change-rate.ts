import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';

/** Changes of one person in organizations within a minute, on a node. A page makes a few; many at once are one request. */
const most = 300;
const minute = 60_000;

/**
 * Counts what people have changed: each change is an entry of the audit log, which nobody can take back, so that a member or a
 * stolen session could fill the disk with them.
 */
export class ChangeRate {
  readonly #changes = new LRUCache<string, number>({ max: 50_000, ttl: minute, noUpdateTTL: true });

  /** Throws `too_many_changes`. */
  assertRoom(personId: string): void {
    if ((this.#changes.get(personId) ?? 0) < most) return;
    const left = this.#changes.getRemainingTTL(personId);
    throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, Math.ceil(left / 1000)) });
  }

  count(personId: string): void {
    this.#changes.set(personId, (this.#changes.get(personId) ?? 0) + 1);
  }
}
