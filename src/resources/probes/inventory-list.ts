import type {
  InventoryItem,
  InventoryKey,
  InventoryList,
  ListInventory,
} from '../../contract/dashboard/probes.ts';
import type { CreatedSource } from '../../contract/sources.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { draftSource } from '../sources/connect-source.ts';

/** Items that are listed. More are rare: a system has at most 500. */
const mostListed = 200;

const seenLast = 'i.last_seen_at desc, i.system_id, i.kind, i.host';

/** What probes and firewalls saw and that is no source, seen last first. Dismissed items are left out. */
export async function listInventory(
  store: TenantStore,
  { system_id, via }: ListInventory,
): Promise<InventoryList> {
  const rows = await store.queryOnce<InventoryItem>({
    text: `select json_build_object('id', y.id, 'name', y.name) as system, i.kind, i.host, i.via,
        case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as probe, i.first_seen_at, i.last_seen_at
      from (
        select * from (select * from inventory i
          where i.dismissed_at is null and ($1::uuid is null or i.system_id = $1) and ($2::text is null or i.via = $2)
          order by ${seenLast} offset 0) as i
        -- By index, for each item until the list is full, instead of comparing all sources with all items.
        where not exists (
          select from sources s where s.system_id = i.system_id and s.kind = i.kind and s.host = i.host
            and s.status <> 'disconnected' offset 0)
        order by ${seenLast} limit $3) as i
        join systems y on y.id = i.system_id left join probes p on p.id = i.probe_id
      order by ${seenLast}`,
    values: [system_id ?? null, via ?? null, mostListed + 1],
  });
  return { inventory: rows.slice(0, mostListed), more: rows.length > mostListed };
}

/** Creates a draft, in probe mode if a probe saw it. Throws `not_found` if nothing has seen it, and like `draftSource`. */
export async function adoptItem(
  transaction: TenantTransaction,
  { system_id, kind, host }: InventoryKey,
): Promise<CreatedSource> {
  const [seen] = await transaction.query<{ by_probe: boolean }>({
    text: 'select probe_id is not null as by_probe from inventory where system_id = $1 and kind = $2 and host = $3 for update',
    values: [system_id, kind, host],
  });
  if (!seen) throw new Refusal('not_found');
  const created = await draftSource(transaction, {
    system_id,
    kind,
    host,
    name: host,
    connection_mode: seen.by_probe ? 'probe' : 'direct',
  });
  await transaction.query({
    text: 'update inventory set source_id = $4 where system_id = $1 and kind = $2 and host = $3',
    values: [system_id, kind, host, created.source.id],
  });
  return created;
}

/** Leaves the item out of the list, also when it is seen again. Throws `not_found`. */
export async function dismissItem(
  transaction: TenantTransaction,
  { system_id, kind, host }: InventoryKey,
): Promise<void> {
  const dismissed = await transaction.query({
    text: `update inventory set dismissed_at = now() where system_id = $1 and kind = $2 and host = $3 returning host`,
    values: [system_id, kind, host],
  });
  if (dismissed.length === 0) throw new Refusal('not_found');
  transaction.audit({
    action: 'inventory.dismissed',
    objectKind: 'system',
    objectId: system_id,
    detail: { kind, host },
  });
}
