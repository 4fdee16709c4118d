import { Text } from '@mantine/core';
import { useState } from 'react';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { laterPart } from '../../later/later.ts';
import { DueDate } from './due-date.tsx';
import { dayText } from './due-text.ts';
import { OwnerField } from './owner-field.tsx';
import classes from './work.module.css';

const DueDateDialog = laterPart(() => import('./due-date-dialog.tsx'));

/** Who fixes a finding, and until when. */
export function FindingWork({ finding }: { readonly finding: FindingDetail }) {
  const { canOperate } = useOrganization();
  const [changing, setChanging] = useState(false);
  if (!canOperate)
    return (
      <Facts>
        <Fact name="Owner">
          <span className={classes.name}>{finding.owner?.name ?? 'No owner'}</span>
        </Fact>
        <Fact name="Due">
          <Due finding={finding} />
        </Fact>
      </Facts>
    );
  return (
    <div className={classes.work}>
      <OwnerField finding={finding} />
      <div>
        <Text size="sm" fw={500}>
          Due
        </Text>
        <div className={classes.dueField}>
          <Due finding={finding} />
          <QuietButton onClick={() => setChanging(true)}>Change due date…</QuietButton>
        </div>
      </div>
      {changing && (
        <DueDateDialog
          ids={[finding.id]}
          dueOn={finding.due_on}
          onClose={() => setChanging(false)}
          aboveDrawer
        />
      )}
    </div>
  );
}

function Due({ finding }: { readonly finding: FindingDetail }) {
  const { due_on, due_is_own, status } = finding;
  if (due_on === null)
    return <Dimmed span>{status === 'open' ? 'No due date' : 'Only open findings are due'}</Dimmed>;
  return (
    <>
      <DueDate finding={finding} />
      <Dimmed span>
        {dayText(due_on)} (UTC), {due_is_own ? 'set by a person' : 'by policy'}
      </Dimmed>
    </>
  );
}
