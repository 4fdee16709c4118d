import { anyOf, dayOf, daysLater, isAfter, moment } from '../../database/expressions.ts';
import type { PageRows } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { type DueTerms, readDueTerms } from './due-dates.ts';
import { type FindingConditions, matches } from './finding-conditions.ts';

/** Ascending: the start of the episode plus the days of the policy, or the start of the day that a person set. */
export const dueOrder = { due_at: 'timestamptz', id: 'uuid' } as const;

type Page = PageRows<typeof dueOrder>;

/** Stands for no due date: after all others. */
const never = '9999-12-31T00:00:00.000+00:00';

/** A page of the findings that match, first due first, then those without a due date by id. */
export async function pageByDueDate(session: TenantSession, conditions: FindingConditions, page: Page) {
  const terms = await readDueTerms(session);
  const due = page.after?.due_at === never ? [] : await session.query(dueFindings(conditions, terms, page));
  if (due.length === page.limit) return due;
  const others = await session.query(
    otherFindings(conditions, terms, { ...page, limit: page.limit - due.length }),
  );
  return [...due, ...others];
}

/**
 * Merged from those of each severity and of dates that people set, which indexes have in order, so that the cost does not depend on the
 * number of findings.
 */
function dueFindings(conditions: FindingConditions, { ranks }: DueTerms, { limit, after }: Page) {
  const open = db
    .selectFrom('findings')
    .where(eb => matches(eb, conditions))
    .where('status', '=', 'open')
    .limit(limit);
  const dated = open
    .select(({ ref }) => ['id', moment(ref('due_on')).as('due_at')])
    .where('due_on', 'is not', null)
    .$if(after !== undefined, rows =>
      rows
        .where(({ eb }) => eb('due_on', '>=', dayOf(after!.due_at)))
        .where(({ ref }) => isAfter([moment(ref('due_on')), ref('id')], [after!.due_at, after!.id])),
    )
    .orderBy('due_on')
    .orderBy('id');
  const bySeverity = ranks.map(({ rank, days }) =>
    open
      .select(({ ref }) => ['id', daysLater(ref('opened_at'), days).as('due_at')])
      .where('due_on', 'is', null)
      .where(({ eb, lit }) => eb('severity_rank', '=', lit(rank)))
      .$if(after !== undefined, rows =>
        rows.where(({ ref, val }) =>
          isAfter([ref('opened_at'), ref('id')], [daysLater(moment(val(after!.due_at)), -days), after!.id]),
        ),
      )
      .orderBy('opened_at')
      .orderBy('id'),
  );
  const all = bySeverity.reduce(
    (rows, more) => rows.unionAll(db.selectFrom(more.as('due')).select(['id', 'due_at'])),
    db.selectFrom(dated.as('due')).select(['id', 'due_at']),
  );
  return db.selectFrom(all.as('due')).select(['id', 'due_at']).orderBy('due_at').orderBy('id').limit(limit);
}

function otherFindings(conditions: FindingConditions, { ranks }: DueTerms, { limit, after }: Page) {
  return db
    .selectFrom('findings')
    .select(({ val }) => ['id', moment(val(never)).as('due_at')])
    .where(eb => matches(eb, conditions))
    .where(({ or, and, not, eb }) =>
      or([
        eb('status', '<>', 'open'),
        and([eb('due_on', 'is', null), not(eb('severity_rank', '=', anyOf(ranks.map(({ rank }) => rank))))]),
      ]),
    )
    .$if(after?.due_at === never, rows => rows.where('id', '>', after!.id))
    .orderBy('id')
    .limit(limit);
}
