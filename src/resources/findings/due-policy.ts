import type { DuePolicy, DuePolicyState } from '../../contract/dashboard/finding-work.ts';
import { countOfRows } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { duePeriod, readDueTerms } from './due-dates.ts';
import { matches, matchingFindings } from './finding-conditions.ts';

const policyColumns = `due_days_critical as critical, due_days_high as high, due_days_medium as medium, due_days_low as low`;

export async function readDuePolicy(session: TenantSession, personId: string): Promise<DuePolicyState> {
  const [policy] = await session.query<DuePolicy>({ text: `select ${policyColumns} from organizations` });
  return { policy: policy!, ...(await countOverdue(session, personId)) };
}

/** Open findings past their due date, and those of them that the person owns. */
export async function countOverdue(session: TenantSession, personId: string) {
  const due = duePeriod(await readDueTerms(session), 'overdue');
  const [all, mine] = await Promise.all([
    session.query(
      db.selectFrom(matchingFindings({ due }, ['id']).as('overdue')).select(countOfRows.as('count')),
    ),
    session.query(
      db
        .selectFrom('findings')
        .select(countOfRows.as('count'))
        .where(eb => matches(eb, { due, owner: personId })),
    ),
  ]);
  return { overdue: all[0]!.count, mine_overdue: mine[0]!.count };
}

/** Applies at once to all open findings without a due date of their own. */
export async function changeDuePolicy(transaction: TenantTransaction, policy: DuePolicy): Promise<void> {
  const [before] = await transaction.query<DuePolicy & { id: string }>({
    text: `select id, ${policyColumns} from organizations for no key update`,
  });
  const { id, ...days } = before!;
  const isSame = (Object.keys(policy) as (keyof DuePolicy)[]).every(
    severity => policy[severity] === days[severity],
  );
  if (isSame) return;
  await transaction.query({
    text: 'update organizations set due_days_critical = $1, due_days_high = $2, due_days_medium = $3, due_days_low = $4',
    values: [policy.critical, policy.high, policy.medium, policy.low],
  });
  transaction.audit({
    action: 'organization.due_policy_changed',
    objectKind: 'organization',
    objectId: id,
    detail: { from: days, to: policy },
  });
}
