import { LRUCache } from 'lru-cache';
import type { ApiKey } from '../resources/keys/api-keys.ts';
import type { Lookups } from '../resources/lookups.ts';

/**
 * Caches the immutable fields of keys by ID. The guard checks on every request whether a key is active. Unknown IDs are not cached,
 * since a new key must work immediately.
 */
export class KeyCache {
  readonly #lookups: Pick<Lookups, 'findApiKey'>;
  readonly #keys = new LRUCache<string, ApiKey>({ max: 50_000 });

  constructor(lookups: Pick<Lookups, 'findApiKey'>) {
    this.#lookups = lookups;
  }

  async find(id: string): Promise<ApiKey | 'lookups_full' | undefined> {
    const kept = this.#keys.get(id);
    if (kept) return kept;
    const key = await this.#lookups.findApiKey(id);
    if (typeof key === 'object') this.#keys.set(id, key);
    return key;
  }
}
