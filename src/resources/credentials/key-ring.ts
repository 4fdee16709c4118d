import type { MasterKey } from './master-key.ts';

/** The master keys that a process may use. */
export interface KeyRing {
  /** Ids of keys that the operator has declared lost: records wrapped by them are left unchanged. */
  readonly lost: readonly string[];
  /** How to provide a missing key, for error messages. */
  readonly remedy: string;
  /** Creates a key if there is none. Only for callers that know that no record needs another. */
  makeFirst(): Promise<void>;
  /** The key that wraps new records now. Throws a `StorageError` if there is none. */
  current(): Promise<MasterKey>;
  /** The key with this id; undefined if this process does not have it. */
  find(id: string): Promise<MasterKey | undefined>;
  /** Replaces the current key with a new one and keeps both, or continues an earlier renewal. */
  renew(): Promise<void>;
  /** Removes all keys but the current one, which wraps all records by now. */
  forgetOthers(): Promise<void>;
}

/** Keys that the operator provides and rotates: the ring itself renews and forgets nothing. */
export function givenKeyRing(
  current: MasterKey,
  others: readonly MasterKey[] = [],
  lost: readonly string[] = [],
): KeyRing {
  return {
    lost,
    remedy:
      'Set PARAPET_MASTER_KEY to the missing key, or add it to PARAPET_OTHER_MASTER_KEYS. If it is in master.key of the data folder, unset PARAPET_MASTER_KEY',
    makeFirst: async () => {},
    current: async () => current,
    find: async id => [current, ...others].find(key => key.id === id),
    renew: async () => {},
    forgetOthers: async () => {},
  };
}
