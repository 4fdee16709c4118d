import type { ChangeSystem, ListSystems, SystemPage, SystemRow } from '../../contract/dashboard/systems.ts';
import { givenConditions } from '../../database/conditions.ts';
import { readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { type OpenFindings, organizationScore, totalOpen } from '../../domain/posture-score.ts';

interface StoredRow extends Omit<SystemRow, 'score' | 'open'> {
  readonly postures: readonly OpenFindings[];
}

/** Systems of a page. */
const pageLength = '50';

/** The systems whose ids `page` selects, with the open findings of each of their sources. */
const systemRows = (page: string) => `with page as (${page})
  select y.id, y.name, y.external_id, y.environment, y.kind, y.approved, y.created_at,
    (select count(*)::int from sources s where s.system_id = y.id and s.status <> 'disconnected') as sources,
    (select count(*)::int from sources s where s.system_id = y.id and s.status <> 'disconnected'
      and not exists (select from source_postures p where p.source_id = s.id)) as not_scanned,
    (select coalesce(json_agg(p), '[]') from sources s join source_postures p on p.source_id = s.id
      where s.system_id = y.id) as postures
  from page join systems y using (id) order by y.created_at desc, y.id desc`;

/** Newest first. */
export async function listSystemRows(store: TenantStore, query: ListSystems): Promise<SystemPage> {
  const conditions = givenConditions(['strpos(lower(name), lower($)) > 0', query.search]);
  const limited = { ...query, limit: pageLength };
  const { rows, next_cursor } = await readPage(statement => store.queryOnce<StoredRow>(statement), {
    organization: store.organizationId,
    table: 'systems',
    columns: 'id',
    query: limited,
    conditions,
    around: systemRows,
  });
  return { systems: rows.map(withScore), next_cursor };
}

async function findSystemRow(session: TenantSession, id: string): Promise<SystemRow | undefined> {
  const rows = await session.query<StoredRow>({
    text: systemRows('select id from systems where id = $1'),
    values: [id],
  });
  return rows[0] && withScore(rows[0]);
}

function withScore({ postures, ...row }: StoredRow): SystemRow {
  return { ...row, score: organizationScore(postures) ?? null, open: totalOpen(postures) };
}

/** Undefined when the organization has no such system. */
export async function changeSystem(
  transaction: TenantTransaction,
  id: string,
  { name, environment, kind }: ChangeSystem,
): Promise<SystemRow | undefined> {
  const rows = await transaction.query({
    text: 'update systems set name = $2, environment = $3, kind = $4 where id = $1 returning id',
    values: [id, name, environment, kind],
  });
  if (rows.length === 0) return undefined;
  await transaction.audit({
    action: 'system.changed',
    objectKind: 'system',
    objectId: id,
    detail: { name, environment, kind },
  });
  return findSystemRow(transaction, id);
}

/** Confirms that the system belongs to the organization. Undefined when there is none. */
export async function approveSystem(
  transaction: TenantTransaction,
  id: string,
): Promise<SystemRow | undefined> {
  const rows = await transaction.query({
    text: 'update systems set approved = true where id = $1 and not approved returning id',
    values: [id],
  });
  if (rows.length > 0) {
    await transaction.audit({ action: 'system.approved', objectKind: 'system', objectId: id });
  }
  return findSystemRow(transaction, id);
}
