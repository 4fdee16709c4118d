import { organizationLock } from '../../database/organization-lock.ts';
import { StorageError } from '../../database/storage-error.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import type { KeyUse, SystemStore } from '../system-store.ts';
import type { KeyRing } from './key-ring.ts';

type Uses = Pick<SystemStore, 'masterKeysInUse' | 'organizationsWrapped'>;

/** Master keys that wrap records and are not in the ring. Of a file that cannot be used, `failure` says why. */
interface MissingKeys {
  readonly keys: readonly KeyUse[];
  readonly failure?: StorageError;
}

/** Finds the master keys that wrap records and are not in the ring. */
export async function findMissingKeys(system: Uses, ring: KeyRing): Promise<MissingKeys> {
  const first = await compare(system, ring);
  // A rotation may have ended between the look at the records and the look at the ring.
  return first.keys.length === 0 ? first : compare(system, ring);
}

async function compare(system: Uses, ring: KeyRing): Promise<MissingKeys> {
  const keys: KeyUse[] = [];
  let failure: StorageError | undefined;
  for (const use of await system.masterKeysInUse()) {
    const key = await ring.find(use.id).catch(error => {
      if (!(error instanceof StorageError)) throw error;
      failure = error;
    });
    if (!key) keys.push(use);
  }
  return { keys, ...(failure ? { failure } : {}) };
}

/** Names the keys, and how many records of which kind need each. */
export function describeKeys(keys: readonly KeyUse[]): string {
  return keys
    .map(({ id, kinds }) => {
      const counts = Object.entries(kinds).map(([kind, records]) => `${kind}: ${records}`);
      return `${id} (${counts.sort().join(', ')})`;
    })
    .join(', ');
}

interface KeyServices {
  readonly system: Uses;
  readonly ring: KeyRing;
  readonly tenant: (organizationId: string) => TenantStore;
}

/**
 * Makes the first master key of an installation. Where records exist, their keys must be in the ring: a new key in the place
 * of a missing one would hide that they cannot be read. Keys that the operator has declared lost are noted once in the
 * audit logs of the organizations whose records they wrap.
 *
 * @returns the keys that were declared lost and that records need
 * @throws StorageError when a key is missing that records need
 */
export async function settleMasterKeys({ system, ring, tenant }: KeyServices): Promise<readonly KeyUse[]> {
  const { keys, failure } = await findMissingKeys(system, ring);
  const isLost = ({ id }: KeyUse) => ring.lost.includes(id);
  const missing = keys.filter(key => !isLost(key));
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id).join(',');
    throw new StorageError(
      `Records in the database are encrypted under a master key that is missing: ${describeKeys(missing)}. ${failure?.message ?? ring.remedy}. If the key is lost for good, start with PARAPET_LOST_MASTER_KEYS=${ids}: these records stay unreadable, see docs/master-key.md`,
    );
  }
  await ring.makeFirst();
  for (const { id } of keys) await noteLoss({ system, tenant }, id);
  return keys;
}

async function noteLoss({ system, tenant }: Omit<KeyServices, 'ring'>, id: string): Promise<void> {
  for (const organizationId of await system.organizationsWrapped('these', [id])) {
    await tenant(organizationId).transaction(async transaction => {
      // Several nodes start at once.
      await transaction.query(organizationLock('lost master keys', organizationId));
      const noted = await transaction.query({
        text: `select from audit_entries 
          where object_kind = 'master_key' and object_id = $1 and action = 'master_key.lost' limit 1`,
        values: [id],
      });
      if (noted.length > 0) return;
      await transaction.audit({ action: 'master_key.lost', objectKind: 'master_key', objectId: id });
    });
  }
}
