import type { ChangeSystem, ListSystems, SystemPage, SystemRow } from '../../contract/dashboard/systems.ts';
import { contains, lowerCase, when } from '../../database/expressions.ts';
import { idsOf, newest, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { type OpenFindings, organizationScore, totalOpen } from '../../domain/posture-score.ts';
import { openOf } from '../posture/posture.ts';

interface StoredRow extends Omit<SystemRow, 'score' | 'open'> {
  readonly postures: readonly OpenFindings[];
}

/** Systems per page. */
const pageLength = '50';

/** Newest first, with the open findings of each of their sources. */
async function findSystemRows(session: TenantSession, ids: readonly string[]): Promise<SystemRow[]> {
  const rows = await session.query<StoredRow>({
    text: `select y.id, y.name, y.external_id, y.environment, y.kind, y.approved, y.created_at,
    (select count(*)::int from sources s where s.system_id = y.id and s.status <> 'disconnected') as sources,
    (select count(*)::int from sources s where s.system_id = y.id and s.status <> 'disconnected'
      and not exists (select from source_postures p where p.source_id = s.id)) as not_scanned,
    (select coalesce(json_agg(${openOf('p')}), '[]') from sources s join source_postures p on p.source_id = s.id
      where s.system_id = y.id) as postures
      from systems y where y.id = any($1) order by y.created_at desc, y.id desc`,
    values: [ids],
  });
  return rows.map(({ postures, ...row }) => ({
    ...row,
    score: organizationScore(postures) ?? null,
    open: totalOpen(postures),
  }));
}

/** Newest first. */
export async function listSystemRows(store: TenantStore, query: ListSystems): Promise<SystemPage> {
  const list = { organization: store.organizationId, name: 'systems', order: newest };
  const matching = db
    .selectFrom('systems')
    .select(['id', 'created_at'])
    .where(({ and, ref }) => and(when(query.search, part => contains(lowerCase(ref('name')), part))));
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(matching, newest, page)),
    );
    return { systems: await findSystemRows(session, idsOf(rows)), next_cursor };
  });
}

async function findSystemRow(session: TenantSession, id: string): Promise<SystemRow | undefined> {
  return (await findSystemRows(session, [id]))[0];
}

/** Undefined if the organization has no such system. */
export async function changeSystem(
  transaction: TenantTransaction,
  id: string,
  { name, environment, kind }: ChangeSystem,
): Promise<SystemRow | undefined> {
  const changed = await transaction.query(
    db.updateTable('systems').set({ name, environment, kind }).where('id', '=', id).returning('id'),
  );
  if (changed.length === 0) return undefined;
  transaction.audit({
    action: 'system.changed',
    objectKind: 'system',
    objectId: id,
    detail: { name, environment, kind },
  });
  return findSystemRow(transaction, id);
}

/** Confirms that the system belongs to the organization. Undefined if there is none. */
export async function approveSystem(
  transaction: TenantTransaction,
  id: string,
): Promise<SystemRow | undefined> {
  const approved = await transaction.query(
    db
      .updateTable('systems')
      .set({ approved: true })
      .where('id', '=', id)
      .where('approved', '=', false)
      .returning('id'),
  );
  if (approved.length > 0) {
    transaction.audit({ action: 'system.approved', objectKind: 'system', objectId: id });
  }
  return findSystemRow(transaction, id);
}
