import type { PeopleStore } from '../../database/people-store.ts';
import { StorageError } from '../../database/storage-error.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import type { SystemStore } from '../system-store.ts';
import { rewrap } from './envelope.ts';
import type { KeyRing } from './key-ring.ts';
import type { MasterKey } from './master-key.ts';
import { batch, peopleTables, tenantTables, type WrappedTable } from './wrapped-tables.ts';

interface RotationServices {
  readonly system: SystemStore;
  readonly people: PeopleStore;
  readonly ring: KeyRing;
  readonly tenant: (organizationId: string) => TenantStore;
  /** Called with the number of records rewrapped so far. */
  readonly onProgress: (rewrapped: number) => void;
}

export interface Rotation {
  /** Records rewrapped by this call; an interrupted one may have rewrapped others before. */
  readonly rewrapped: number;
  /** The master key that now wraps every record. */
  readonly masterKeyId: string;
}

/**
 * Rewraps the key of every encrypted record with the ring's current master key, after renewing it if the ring creates
 * its own keys. It can be interrupted at any point and repeated, while the service runs: records that are stored or
 * opened meanwhile always find their key. Throws a `StorageError` if another rotation is running, or if a record is
 * wrapped by a key that is not in the ring.
 */
export async function rotateMasterKey(services: RotationServices): Promise<Rotation> {
  const { system, people, ring } = services;
  const rotation = await system.whileRotating(async waitForStores => {
    await ring.renew();
    const current = await ring.current();
    // Stores that started with the previous key have finished after this; later ones use the new key.
    await waitForStores();
    let rewrapped = 0;
    const inBatches = async (rewrapBatch: () => Promise<number>) => {
      for (let count = batch; count === batch; ) {
        count = await rewrapBatch();
        rewrapped += count;
        services.onProgress(rewrapped);
      }
    };
    const keys = { ring, current, left: [current.id, ...(await lostKeys(ring))] };
    for (const organizationId of await system.organizationsWrapped('others', keys.left)) {
      const store = services.tenant(organizationId);
      for (const table of tenantTables) {
        await inBatches(() => rewrapOfOrganization(store, organizationId, table, keys));
      }
    }
    for (const table of peopleTables) {
      await inBatches(() => people.transaction(session => rewrapSome(session, '', table, keys)));
    }
    await ring.forgetOthers();
    return { rewrapped, masterKeyId: current.id };
  });
  if (!rotation) throw new StorageError('Another rotation of the master key is running');
  return rotation;
}

interface Keys {
  readonly ring: KeyRing;
  readonly current: MasterKey;
  /** Ids of keys whose records are left unchanged. */
  readonly left: readonly string[];
}

/** Keys that were declared lost and are not in the ring. */
async function lostKeys(ring: KeyRing): Promise<string[]> {
  const found = await Promise.all(ring.lost.map(id => ring.find(id)));
  return ring.lost.filter((_id, index) => found[index] === undefined);
}

/** Each batch is one transaction with its audit entry. */
async function rewrapOfOrganization(
  store: TenantStore,
  organizationId: string,
  table: (typeof tenantTables)[number],
  keys: Keys,
): Promise<number> {
  return store.transaction(async transaction => {
    const count = await rewrapSome(transaction, organizationId, table, keys);
    if (count > 0) {
      transaction.audit({
        action: table.audited.action,
        objectKind: 'master_key',
        objectId: keys.current.id,
        detail: { [table.audited.counted]: count },
      });
    }
    return count;
  });
}

async function rewrapSome(
  session: TenantSession,
  organizationId: string,
  table: WrappedTable,
  { ring, current, left }: Keys,
): Promise<number> {
  const rows = await session.query(table.others(left));
  if (rows.length === 0) return 0;
  const wrapped = await Promise.all(
    rows.map(async row => {
      const from = await ring.find(row.master_key_id);
      if (!from) throw lostKey(row.master_key_id);
      return rewrap(row.wrapped_key, table.context(organizationId, row.id), from, current);
    }),
  );
  await session.query(table.rewrap(current.id, rows, wrapped));
  return rows.length;
}

function lostKey(id: string): StorageError {
  return new StorageError(
    `A record is wrapped by master key ${id}, which this host does not have: add it to PARAPET_OTHER_MASTER_KEYS`,
  );
}
