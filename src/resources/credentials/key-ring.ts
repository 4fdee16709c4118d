import type { MasterKey } from './master-key.ts';

/** The master keys that a process may use. */
export interface KeyRing {
  /** Ids of keys that the operator has declared lost: what they have wrapped stays as it is. */
  readonly lost: readonly string[];
  /** What to do where a key is missing. */
  readonly remedy: string;
  /** Makes a key where there is none yet: only for who knows that no record needs another. */
  makeFirst(): Promise<void>;
  /** The one that wraps new credentials, at this moment. Throws a `StorageError` where there is none. */
  current(): Promise<MasterKey>;
  /** Any of them by its id; undefined when this process does not have it. */
  find(id: string): Promise<MasterKey | undefined>;
  /** Puts a new key in the place of the current one, which stays in the ring; or finds that this was begun before. */
  renew(): Promise<void>;
  /** Leaves only the current key, which wraps everything by now. */
  forgetOthers(): Promise<void>;
}

/** Keys that an operator has given and changes: the ring renews and forgets nothing by itself. */
export function givenKeyRing(
  current: MasterKey,
  others: readonly MasterKey[] = [],
  lost: readonly string[] = [],
): KeyRing {
  return {
    lost,
    remedy: 'Set PARAPET_MASTER_KEY to the missing key, or add it to PARAPET_OTHER_MASTER_KEYS',
    makeFirst: async () => {},
    current: async () => current,
    find: async id => [current, ...others].find(key => key.id === id),
    renew: async () => {},
    forgetOthers: async () => {},
  };
}
