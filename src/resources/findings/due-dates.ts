import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { DuePolicy } from '../../contract/dashboard/finding-work.ts';
import { dayOf, startOfDay } from '../../database/expressions.ts';
import type { Schema } from '../../database/schema.ts';
import type { TenantSession } from '../../database/tenant-store.ts';

/** The days of each severity whose findings are due at some time, and the current day (UTC). */
export interface DueTerms {
  readonly today: string;
  readonly ranks: readonly { readonly rank: number; readonly days: number }[];
}

const ranks = { critical: 4, high: 3, medium: 2, low: 1 } as const satisfies Record<keyof DuePolicy, number>;

export async function readDueTerms(session: TenantSession): Promise<DueTerms> {
  const [row] = await session.query<DuePolicy & { today: string }>({
    text: `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today, due_days_critical as critical, due_days_high as high,
        due_days_medium as medium, due_days_low as low
      from organizations`,
  });
  const { today, ...policy } = row!;
  return {
    today,
    ranks: Object.entries(ranks).flatMap(([severity, rank]) => {
      const days = policy[severity as keyof DuePolicy];
      return days === null ? [] : [{ rank, days }];
    }),
  };
}

/** Open findings that are due on this day or later, as far as it is given, and before the other one. */
export interface DuePeriod {
  readonly terms: DueTerms;
  readonly from: string | undefined;
  readonly before: string;
}

export function duePeriod(terms: DueTerms, due: 'overdue' | 'week'): DuePeriod {
  const { today } = terms;
  return due === 'overdue'
    ? { terms, from: undefined, before: today }
    : { terms, from: today, before: daysAfter(today, 8) };
}

/** Open findings that became overdue from one day to another: they were due on the day before. */
export const overdueSince = (terms: DueTerms, first: string, last: string): DuePeriod => ({
  terms,
  from: daysAfter(first, -1),
  before: last,
});

/** @param day such as `2026-11-21` */
export function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

type Condition = (builder: ExpressionBuilder<Schema, 'findings'>) => Expression<SqlBool>;

/** Conditions on a row of `findings`, at most one of them true: an index range for dates that people set, and one for each severity. */
export function dueRanges({ terms, from, before }: DuePeriod): Condition[] {
  const dates: Condition = ({ and, eb }) =>
    and([
      eb('status', '=', 'open'),
      eb('due_on', 'is not', null),
      eb('due_on', '<', dayOf(before)),
      ...(from === undefined ? [] : [eb('due_on', '>=', dayOf(from))]),
    ]);
  const bySeverity = terms.ranks.map(
    ({ rank, days }): Condition =>
      ({ and, eb, lit }) =>
        and([
          eb('status', '=', 'open'),
          eb('due_on', 'is', null),
          eb('severity_rank', '=', lit(rank)),
          eb('opened_at', '<', startOfDay(daysAfter(before, -days))),
          ...(from === undefined ? [] : [eb('opened_at', '>=', startOfDay(daysAfter(from, -days)))]),
        ]),
  );
  return [dates, ...bySeverity];
}

/** SQL of the UTC day on which a finding `f` of organization `o` is due. Null if it is not open, or never due. */
const dueOn = `case when f.status = 'open' then coalesce(f.due_on, (f.opened_at at time zone 'UTC')::date
  + case f.severity_rank when 4 then o.due_days_critical when 3 then o.due_days_high when 2 then o.due_days_medium
    when 1 then o.due_days_low end) end`;

/** SQL of a person with the name of `nameOfPerson`, or null. @param isPerson condition on a membership `m` */
export function personWithName(isPerson: string): string {
  return `(select json_build_object('id', m.person_id, 'name', coalesce(m.former_name, p.name)) from memberships m
    join people p on p.id = m.person_id where ${isPerson})`;
}

/** SQL of the columns of `workFields`, from a finding `f` joined with `organizations o`. */
export const workColumns = `${personWithName('m.person_id = f.owner_id')} as owner,
  to_char(${dueOn}, 'YYYY-MM-DD') as due_on, f.status = 'open' and f.due_on is not null as due_is_own,
  coalesce(${dueOn} < (now() at time zone 'UTC')::date, false) as overdue`;
