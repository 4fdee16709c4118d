import { StorageError } from '../storage-error.ts';
import type { SystemStore } from '../system-store.ts';
import type { TenantStore } from '../tenant-store.ts';
import { rewrap } from './envelope.ts';
import type { KeyRing } from './key-ring.ts';
import type { MasterKey } from './master-key.ts';
import { contextOf } from './vault.ts';

interface RotationServices {
  readonly system: SystemStore;
  readonly ring: KeyRing;
  readonly tenant: (organizationId: string) => TenantStore;
  /** Called with the number of credentials that have been wrapped anew so far. */
  readonly onProgress: (rewrapped: number) => void;
}

export interface Rotation {
  /** Wrapped anew by this call; an interrupted one may have done others before. */
  readonly rewrapped: number;
  /** The master key that wraps every credential now. */
  readonly masterKeyId: string;
}

const batch = 100;

/**
 * Wraps every credential's own key by the ring's current master key, a new one where the ring makes its own. It may be
 * interrupted at any point and called again, while the service runs: credentials that are stored meanwhile, and those
 * that are opened in between, always find their key. Throws a `StorageError` when another rotation is under way, or when
 * a credential is wrapped by a key that is not in the ring.
 */
export async function rotateMasterKey(services: RotationServices): Promise<Rotation> {
  const { system, ring } = services;
  const rotation = await system.whileRotating(async waitForStores => {
    await ring.renew();
    const current = await ring.current();
    // Who began to store with the key before has ended after this; who begins now takes the new one.
    await waitForStores();
    let rewrapped = 0;
    for (const organizationId of await system.organizationsWrappedByOthers(current.id)) {
      const store = services.tenant(organizationId);
      for (let count = batch; count === batch; ) {
        count = await rewrapSome(store, organizationId, ring, current);
        rewrapped += count;
        services.onProgress(rewrapped);
      }
    }
    await ring.forgetOthers();
    return { rewrapped, masterKeyId: current.id };
  });
  if (!rotation) throw new StorageError('Another rotation of the master key is under way');
  return rotation;
}

interface WrappedKey {
  readonly source_id: string;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
}

/** One batch is one transaction with its audit entry. */
async function rewrapSome(
  store: TenantStore,
  organizationId: string,
  ring: KeyRing,
  current: MasterKey,
): Promise<number> {
  return store.transaction(async transaction => {
    const rows = await transaction.query<WrappedKey>({
      text: `select source_id, master_key_id, wrapped_key from source_credentials where master_key_id <> $1
        order by source_id limit ${batch} for update`,
      values: [current.id],
    });
    if (rows.length === 0) return 0;
    const wrapped = await Promise.all(
      rows.map(async row => {
        const from = await ring.find(row.master_key_id);
        if (!from) throw lostKey(row.master_key_id);
        return rewrap(row.wrapped_key, contextOf(organizationId, row.source_id), from, current);
      }),
    );
    await transaction.query({
      text: `update source_credentials c set master_key_id = $1, wrapped_key = r.wrapped_key
        from unnest($2::uuid[], $3::bytea[]) as r (source_id, wrapped_key) where c.source_id = r.source_id`,
      values: [current.id, rows.map(row => row.source_id), wrapped],
    });
    await transaction.audit({
      action: 'credentials.rewrapped',
      objectKind: 'master_key',
      objectId: current.id,
      detail: { credentials: rows.length },
    });
    return rows.length;
  });
}

function lostKey(id: string): StorageError {
  return new StorageError(
    `A credential is wrapped by master key ${id}, which this host does not have: add it to PARAPET_OTHER_MASTER_KEYS`,
  );
}
