import { Text } from '@mantine/core';
import { useTriage } from '../../api/findings.ts';
import { notify } from '../../components/notify.ts';
import { day, endOfLocalDay, localDate } from '../../formats/dates.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { type TriageAction, triageLabels } from './triage-labels.ts';

interface Props {
  readonly ids: readonly string[];
  readonly action: TriageAction;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Requires a reason, and the end of an acceptance. Triages all of the findings or none. */
export default function TriageDialog({ ids, action, onClose, onDone }: Props) {
  const triage = useTriage();
  const reasonField = useField('decision.reason');
  const reason = reasonField.value;
  const until = useField('decision.until', () => localDate(Date.now() + 90 * day));
  const labels = triageLabels[action];
  const title = labels.title(ids.length === 1 ? 'finding' : `${ids.length} findings`);
  const decision = () => {
    if (action === 'accepted') return { decision: action, reason, until: endOfLocalDay(until.value) };
    if (action === 'reopened') return { decision: action, ...(reason.trim() ? { reason } : {}) };
    return { decision: action, reason };
  };
  const onSuccess = () => {
    notify(labels.done(ids.length === 1 ? 'Finding' : `${ids.length} findings`));
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      mutation={triage}
      onSubmit={() => triage.mutate({ ids, decision: decision() }, { onSuccess })}
      onClose={onClose}
      aboveDrawer
    >
      <Text>{labels.meaning}</Text>
      {action === 'accepted' && <ExpiryField label="Accept until" error={triage.error} {...until} />}
      <TextAreaField
        label="Reason"
        description="Shown in the finding's history"
        required={action !== 'reopened'}
        minRows={2}
        maxLength={1000}
        data-autofocus
        error={triage.error}
        {...reasonField}
      />
    </FormDialog>
  );
}
