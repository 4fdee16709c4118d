import { IconCalendarDue, IconClockExclamation } from '@tabler/icons-react';
import type { FindingRow } from '../../../src/contract/dashboard/findings.ts';
import { dayText, dueText } from './due-text.ts';
import classes from './work.module.css';

/** When a finding is due, in words. Overdue has another color and icon. */
export function DueDate({ finding }: { readonly finding: Pick<FindingRow, 'due_on' | 'overdue'> }) {
  const due = dueText(finding, Date.now());
  if (!due) return <span className={classes.none}>–</span>;
  const Icon = due.tone === 'overdue' ? IconClockExclamation : IconCalendarDue;
  return (
    <span className={`${classes.due} ${classes[due.tone]}`}>
      {due.tone !== 'later' && <Icon size={14} aria-hidden />}
      <span>
        {due.text}
        {due.tone !== 'later' && <span className="visually-hidden">, {dayText(finding.due_on!)}</span>}
      </span>
    </span>
  );
}
