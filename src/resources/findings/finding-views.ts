import type { FindingView, SaveFindingView } from '../../contract/dashboard/views.ts';
import { countOfRows } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { nameOfPerson } from '../people/person-name.ts';

/** Views of a person in an organization. */
const mostViews = 100;

const viewsOf = `select v.id, v.name, v.filters, v.shared, v.person_id = $1 as mine, v.created_at,
  ${nameOfPerson('m.person_id = v.person_id')} as by from finding_views v`;

/** The person's own views and those shared by others, by name. */
export async function listFindingViews(store: TenantStore, personId: string): Promise<FindingView[]> {
  return store.queryOnce<FindingView>({
    text: `${viewsOf} where v.person_id = $1 or v.shared order by lower(v.name), v.id limit 500`,
    values: [personId],
  });
}

/** Throws `view_name_taken` if the person has another view with that name, and `too_many_views`. */
export async function createFindingView(
  transaction: TenantTransaction,
  personId: string,
  input: SaveFindingView,
): Promise<FindingView> {
  const [kept] = await transaction.query(
    db.selectFrom('finding_views').select(countOfRows.as('count')).where('person_id', '=', personId),
  );
  if (kept!.count >= mostViews) throw new Refusal('too_many_views');
  const rows = await transaction.query<{ id: string }>({
    text: `insert into finding_views (person_id, name, filters, shared) values ($1, $2, $3, $4)
      on conflict on constraint finding_views_name do nothing returning id`,
    values: [personId, input.name, JSON.stringify(input.filters), input.shared],
  });
  if (!rows[0]) throw new Refusal('view_name_taken');
  auditView(transaction, 'finding_view.created', rows[0].id, input);
  return (await findFindingView(transaction, personId, rows[0].id))!;
}

/** Undefined if the person has no such view. Throws `view_name_taken`. */
export async function changeFindingView(
  transaction: TenantTransaction,
  personId: string,
  id: string,
  input: SaveFindingView,
): Promise<{ readonly view: FindingView; readonly wasShared: boolean } | undefined> {
  const named = db
    .selectFrom('finding_views')
    .where(({ and }) => and({ person_id: personId, name: input.name }));
  const taken = await transaction.query(named.select('id').where('id', '<>', id));
  if (taken.length > 0) throw new Refusal('view_name_taken');
  const [changed] = await transaction.query<{ was_shared: boolean }>({
    text: `with before as (select id, shared from finding_views where person_id = $1 and id = $2 for update)
      update finding_views v set name = $3, filters = $4, shared = $5 from before where v.id = before.id
      returning before.shared as was_shared`,
    values: [personId, id, input.name, JSON.stringify(input.filters), input.shared],
  });
  if (!changed) return undefined;
  auditView(transaction, 'finding_view.changed', id, input);
  return { view: (await findFindingView(transaction, personId, id))!, wasShared: changed.was_shared };
}

/**
 * Deletes a view of the person or, with `othersToo`, a shared view of someone else. Returns whether it was shared;
 * undefined if there is none.
 */
export async function deleteFindingView(
  transaction: TenantTransaction,
  personId: string,
  id: string,
  othersToo: boolean,
): Promise<{ readonly shared: boolean } | undefined> {
  const rows = await transaction.query<{ shared: boolean }>({
    text: `delete from finding_views where id = $2 and (person_id = $1 or ($3 and shared))
      returning shared`,
    values: [personId, id, othersToo],
  });
  if (!rows[0]) return undefined;
  transaction.audit({ action: 'finding_view.deleted', objectKind: 'finding_view', objectId: id });
  return rows[0];
}

async function findFindingView(session: TenantSession, personId: string, id: string) {
  const rows = await session.query<FindingView>({
    text: `${viewsOf} where v.id = $2`,
    values: [personId, id],
  });
  return rows[0];
}

function auditView(
  transaction: TenantTransaction,
  action: string,
  id: string,
  { name, shared }: SaveFindingView,
): void {
  transaction.audit({ action, objectKind: 'finding_view', objectId: id, detail: { name, shared } });
}
