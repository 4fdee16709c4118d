import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { findingsAtOnce } from '../../../src/contract/dashboard/finding-limits.ts';
import { laterPart } from '../../later/later.ts';
import classes from './findings.module.css';
import { type TriageAction, triageLabels } from './triage-labels.ts';

const TriageDialog = laterPart(() => import('./triage-dialog.tsx'));
const AssignDialog = laterPart(() => import('./assign-dialog.tsx'));
const DueDateDialog = laterPart(() => import('./due-date-dialog.tsx'));
const CommentDialog = laterPart(() => import('./comment-dialog.tsx'));

const workLabels = { assign: 'Assign…', due: 'Due date…', comment: 'Comment…' } as const;
type Action = TriageAction | keyof typeof workLabels;

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
  /** Selects all findings that match the filters, if there are more. */
  readonly more?:
    | { readonly count: number; readonly select: () => void; readonly pending: boolean }
    | undefined;
}

/** Assigns, dates, comments on and triages the selected findings together. */
export function BulkBar({ ids, onClear, more }: Props) {
  const [action, setAction] = useState<Action>();
  if (ids.length === 0) return null;
  const dialog = { ids, onClose: () => setAction(undefined), onDone: onClear };
  const labels: [Action, string][] = [
    ...(Object.entries(workLabels) as [Action, string][]),
    ...(Object.keys(triageLabels) as TriageAction[]).map((each): [Action, string] => [
      each,
      triageLabels[each].button,
    ]),
  ];
  return (
    <section className={classes.bulk} aria-label="Selected findings">
      <Group gap="xs">
        <Text fw={600} className="tabular" aria-live="polite">
          {ids.length} selected
        </Text>
        {more && (
          <Button size="xs" variant="subtle" loading={more.pending} onClick={more.select}>
            {more.count > findingsAtOnce
              ? `Select first ${findingsAtOnce}`
              : `Select all ${more.count.toLocaleString()}`}
          </Button>
        )}
        {ids.length > findingsAtOnce ? (
          <Text size="sm">Select up to {findingsAtOnce} findings to change them together.</Text>
        ) : (
          labels.map(([each, label]) => (
            <Button key={each} size="xs" variant="default" onClick={() => setAction(each)}>
              {label}
            </Button>
          ))
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      {action === 'assign' && <AssignDialog {...dialog} />}
      {action === 'due' && <DueDateDialog {...dialog} />}
      {action === 'comment' && <CommentDialog {...dialog} />}
      {action && !(action in workLabels) && <TriageDialog {...dialog} action={action as TriageAction} />}
    </section>
  );
}
