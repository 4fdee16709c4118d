import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTriage } from '../../api/findings.ts';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';
import { type DecisionKind, decisionWords } from './decisions.ts';

interface Props {
  readonly ids: readonly string[];
  readonly kind: DecisionKind;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

const day = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Asks why, and for an acceptance until when. One decision about all of the findings, or none. */
export function TriageDialog({ ids, kind, onClose, onDone }: Props) {
  const triage = useTriage();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState(() => dayOf(Date.now() + 90 * day));
  const words = decisionWords[kind];
  const what = ids.length === 1 ? 'this finding' : `${ids.length} findings`;
  const titles = {
    accepted: `Accept ${what} until a date`,
    false_positive: `Mark ${what} as false positive`,
    reopened: `Reopen ${what}`,
  };
  const submit = () => {
    // The day is over at its end, in the time zone of whoever decides.
    const end = new Date(`${until}T23:59:59`);
    const decision =
      kind === 'accepted'
        ? { decision: kind, reason, until: Number.isNaN(end.getTime()) ? until : end.toISOString() }
        : kind === 'reopened'
          ? { decision: kind, ...(reason.trim() ? { reason } : {}) }
          : { decision: kind, reason };
    triage.mutate(
      { ids, decision },
      {
        onSuccess: () => {
          succeed(`${ids.length === 1 ? 'The finding is' : `${ids.length} findings are`} ${words.done}`);
          onDone?.();
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={titles[kind]}
      above
      submitLabel={titles[kind]}
      act={triage}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>{words.meaning}</Text>
      {kind === 'accepted' && (
        <TextInput
          label="Until"
          description="At most a year from now"
          type="date"
          required
          min={dayOf(Date.now() + day)}
          max={dayOf(Date.now() + 365 * day)}
          value={until}
          error={fieldError(triage.error, 'decision.until')}
          onChange={event => setUntil(event.currentTarget.value)}
        />
      )}
      <Textarea
        label="Reason"
        description="Whoever reads the history later will want to know why."
        required={kind !== 'reopened'}
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={reason}
        error={fieldError(triage.error, 'decision.reason')}
        onChange={event => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
