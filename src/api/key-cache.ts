import { LRUCache } from 'lru-cache';
import type { ApiKey } from '../resources/keys/api-keys.ts';
import type { Lookups } from '../resources/lookups.ts';

/**
 * Keys by id. What is kept of them never changes after mint, so a node keeps them for as long as it has room; whether a
 * key is still active is asked on every request, by the guard. Ids that no key has are not kept.
 */
export class KeyCache {
  readonly #lookups: Pick<Lookups, 'findApiKey'>;
  readonly #keys = new LRUCache<string, ApiKey>({ max: 50_000 });

  constructor(lookups: Pick<Lookups, 'findApiKey'>) {
    this.#lookups = lookups;
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const kept = this.#keys.get(id);
    if (kept) return kept;
    const key = await this.#lookups.findApiKey(id);
    if (key) this.#keys.set(id, key);
    return key;
  }
}
