import type { MasterKey } from './master-key.ts';

/** The master keys that a process may use. */
export interface KeyRing {
  /** The one that wraps new credentials, at this moment. */
  current(): Promise<MasterKey>;
  /** Any of them by its id; undefined when this process does not have it. */
  find(id: string): Promise<MasterKey | undefined>;
  /** Puts a new key in the place of the current one, which stays in the ring; or finds that this was begun before. */
  renew(): Promise<void>;
  /** Leaves only the current key, which wraps everything by now. */
  forgetOthers(): Promise<void>;
}

/** Keys that an operator has given and changes: the ring renews and forgets nothing by itself. */
export function givenKeyRing(current: MasterKey, others: readonly MasterKey[] = []): KeyRing {
  return {
    current: async () => current,
    find: async id => [current, ...others].find(key => key.id === id),
    renew: async () => {},
    forgetOthers: async () => {},
  };
}
