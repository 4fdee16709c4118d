import type { ChangedWork } from '../../contract/dashboard/finding-work.ts';
import type { AuditEvent } from '../../database/audit.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { workColumns } from './due-dates.ts';
import { assertAll, lockSourcesOf } from './triage.ts';

/** Findings of one owner. A removal of the member releases all of them in one statement, which must end in time. */
const mostOwned = 50_000;

/** Due dates that people set are at most so many days away. */
const farthestDays = 730;

/**
 * Makes a member the owner of the findings, or removes their owner. All or nothing: throws `not_found` like `decide`, `owner_not_member` and
 * `too_many_owned`. Findings
 * that have this owner already do not change.
 */
export async function assignFindings(
  transaction: TenantTransaction,
  ids: readonly string[],
  ownerId: string | null,
): Promise<ChangedWork['findings']> {
  // Before the sources, like a removal of the member, which waits until the findings have their owner.
  if (ownerId !== null && !(await holdMembership(transaction, ownerId)))
    throw new Refusal('owner_not_member');
  await lockSourcesOf(transaction, ids);
  if (ownerId !== null) await assertCanOwn(transaction, ownerId, ids.length);
  const changed = await transaction.query<{ id: string }>({
    text: `with changed as (
        update findings set owner_id = $2 where id = any($1) and owner_id is distinct from $2 returning id)
      insert into finding_edits (finding_id, edit, owner_id, actor_kind, actor_id)
      select id, 'owner', $2, $3, $4 from changed returning finding_id as id`,
    values: [ids, ownerId, transaction.actor.kind, transaction.actor.id],
  });
  const action = ownerId === null ? 'finding.unassigned' : 'finding.assigned';
  auditFindings(transaction, changed, {
    action,
    ...(ownerId === null ? {} : { detail: { owner: ownerId } }),
  });
  return workOf(transaction, ids);
}

/**
 * Gives the findings a due date of their own, or that of the policy again. All or nothing: throws `not_found` like `decide`, and
 * `due_date_out_of_range`.
 *
 * @param dueOn a UTC day such as `2026-11-21`; null: by the policy
 */
export async function changeDueDates(
  transaction: TenantTransaction,
  ids: readonly string[],
  dueOn: string | null,
): Promise<ChangedWork['findings']> {
  if (dueOn !== null) await assertInRange(transaction, dueOn);
  await lockSourcesOf(transaction, ids);
  const changed = await transaction.query<{ id: string }>({
    text: `with changed as (
        update findings set due_on = $2 where id = any($1) and due_on is distinct from $2 returning id)
      insert into finding_edits (finding_id, edit, due_on, actor_kind, actor_id)
      select id, 'due', $2, $3, $4 from changed returning finding_id as id`,
    values: [ids, dueOn, transaction.actor.kind, transaction.actor.id],
  });
  const action = dueOn === null ? 'finding.due_date_removed' : 'finding.due_date_set';
  auditFindings(transaction, changed, { action, ...(dueOn === null ? {} : { detail: { due_on: dueOn } }) });
  return workOf(transaction, ids);
}

async function assertInRange(transaction: TenantTransaction, dueOn: string): Promise<void> {
  // Yesterday in UTC is still today west of it.
  const [row] = await transaction.query<{ ok: boolean }>({
    text: `select $1::date between (now() at time zone 'UTC')::date - 1 and (now() at time zone 'UTC')::date + $2::int as ok`,
    values: [dueOn, farthestDays],
  });
  if (!row!.ok) throw new Refusal('due_date_out_of_range');
}

async function assertCanOwn(transaction: TenantTransaction, ownerId: string, more: number): Promise<void> {
  const [owned] = await transaction.query<{ count: number }>({
    text: 'select count(*)::int as count from (select from findings where owner_id = $1 limit $2) as owned',
    values: [ownerId, mostOwned],
  });
  if (owned!.count + more > mostOwned) throw new Refusal('too_many_owned');
}

/** Whether the person is a member, and stays one until the transaction ends. */
async function holdMembership(transaction: TenantTransaction, personId: string): Promise<boolean> {
  const rows = await transaction.query({
    text: 'select from memberships where person_id = $1 and left_at is null for share',
    values: [personId],
  });
  return rows.length > 0;
}

function auditFindings(
  transaction: TenantTransaction,
  findings: readonly { readonly id: string }[],
  event: Pick<AuditEvent, 'action' | 'detail'>,
): void {
  transaction.audit(...findings.map(({ id }) => ({ ...event, objectKind: 'finding', objectId: id })));
}

/** In the order of the ids. Throws `not_found` if the organization does not have all of them. */
async function workOf(session: TenantSession, ids: readonly string[]): Promise<ChangedWork['findings']> {
  const findings = await session.query<ChangedWork['findings'][number]>({
    text: `select f.id, ${workColumns} from unnest($1::uuid[]) with ordinality as given (id, place)
        cross join lateral (select * from findings where findings.id = given.id offset 0) as f cross join organizations o
      order by given.place`,
    values: [ids],
  });
  assertAll(ids, findings);
  return findings;
}
