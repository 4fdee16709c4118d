import { organizationLock } from '../../database/organization-lock.ts';
import { StorageError } from '../../database/storage-error.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import type { KeyUse, SystemStore } from '../system-store.ts';
import type { KeyRing } from './key-ring.ts';

type Uses = Pick<SystemStore, 'masterKeysInUse' | 'organizationsWrapped'>;

/** Master keys that wrap records and are not in the ring. `failure` is the reason if a key file cannot be used. */
interface MissingKeys {
  readonly keys: readonly KeyUse[];
  readonly failure?: StorageError;
}

/** Finds the master keys that wrap records and are not in the ring. */
export async function findMissingKeys(system: Uses, ring: KeyRing): Promise<MissingKeys> {
  const first = await compare(system, ring);
  // A rotation may have finished between reading the records and the ring.
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

/** Lists the keys, with the number of records of each kind that need them. */
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
 * Creates the first master key of an installation. If records exist, their keys must be in the ring: a new key instead
 * of a missing one would hide that they cannot be read. Keys that the operator declared lost are recorded once in the
 * audit logs of the organizations whose records they wrap.
 *
 * @returns the keys that were declared lost and are needed by records
 * @throws StorageError if a key that records need is missing
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
      // Several nodes may start at once.
      await transaction.query(organizationLock('lost master keys', organizationId));
      const noted = await transaction.query({
        text: `select from audit_entries 
          where object_kind = 'master_key' and object_id = $1 and action = 'master_key.lost' limit 1`,
        values: [id],
      });
      if (noted.length > 0) return;
      transaction.audit({ action: 'master_key.lost', objectKind: 'master_key', objectId: id });
    });
  }
}
