import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Control } from '../../../src/contract/dashboard/controls.ts';
import { useAttest } from '../../api/controls.ts';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';
import { EvidenceSelect } from './evidence-select.tsx';

interface Props {
  readonly control: Pick<Control, 'citation' | 'condition'>;
  readonly onClose: () => void;
}

const day = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Asks what is in place and until when that holds. The name under it is that of whoever sends it. */
export function AttestDialog({ control: { citation, condition }, onClose }: Props) {
  const attest = useAttest(citation);
  const [statement, setStatement] = useState('');
  const [applies, setApplies] = useState(true);
  const [evidence, setEvidence] = useState<string[]>([]);
  const [until, setUntil] = useState(() => dayOf(Date.now() + 365 * day));
  const submit = () => {
    // The day is over at its end, in the time zone of whoever attests.
    const end = new Date(`${until}T23:59:59`);
    const valid_until = Number.isNaN(end.getTime()) ? until : end.toISOString();
    attest.mutate(
      { statement, applies, valid_until, ...(evidence.length > 0 ? { evidence_ids: evidence } : {}) },
      {
        onSuccess: () => {
          succeed(`You attested ${citation}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Attest ${citation}`}
      above
      submitLabel="Attest this control"
      act={attest}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>
        With a document as evidence, the attestation supports the control until it expires. Without, the
        control shows as attested, not proven. It stays in the record with your name.
      </Text>
      {condition !== null && (
        <Checkbox
          label="This control does not apply to the organization"
          description={`It concerns: ${condition} It then shows as not applicable. Findings still lower it.`}
          checked={!applies}
          onChange={event => setApplies(!event.currentTarget.checked)}
        />
      )}
      <Textarea
        label="Statement"
        description={
          applies
            ? 'What is in place, who saw to it, and where that is written down.'
            : 'Why it does not apply, who decided that, and where it is written down.'
        }
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={4000}
        data-autofocus
        value={statement}
        error={fieldError(attest.error, 'statement')}
        onChange={event => setStatement(event.currentTarget.value)}
      />
      <EvidenceSelect
        value={evidence}
        error={fieldError(attest.error, 'evidence_ids')}
        onChange={setEvidence}
      />
      <TextInput
        label="Valid until"
        description="At most a year from now"
        type="date"
        required
        min={dayOf(Date.now() + day)}
        max={dayOf(Date.now() + 365 * day)}
        value={until}
        error={fieldError(attest.error, 'valid_until')}
        onChange={event => setUntil(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
