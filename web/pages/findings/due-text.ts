import type { FindingRow } from '../../../src/contract/dashboard/findings.ts';
import { day } from '../../formats/dates.ts';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** `Dec 7, 2026`: a UTC day, which is the same in every time zone. */
export const dayText = (dueOn: string): string => dates.format(new Date(`${dueOn}T00:00:00Z`));

export interface DueText {
  readonly text: string;
  readonly tone: 'overdue' | 'soon' | 'later';
}

/** `3 days overdue`, `Due today`, `Due in 5 days`; the date if it is further away. Null without a due date. @param now in milliseconds */
export function dueText(
  { due_on, overdue }: Pick<FindingRow, 'due_on' | 'overdue'>,
  now: number,
): DueText | null {
  if (due_on === null) return null;
  const days = Math.round((Date.parse(due_on) - Math.floor(now / day) * day) / day);
  const count = (number: number) => `${number.toLocaleString()} day${number === 1 ? '' : 's'}`;
  if (overdue) return { text: `${count(Math.max(1, -days))} overdue`, tone: 'overdue' };
  if (days <= 0) return { text: 'Due today', tone: 'soon' };
  if (days <= 7) return { text: `Due in ${count(days)}`, tone: 'soon' };
  return { text: dayText(due_on), tone: 'later' };
}
