import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import type { Control } from '../../../src/contract/dashboard/controls.ts';
import { useAttest } from '../../api/controls.ts';
import { day, endOfLocalDay, localDate } from '../../formats/dates.ts';
import { fieldError } from '../../forms/error-messages.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { EvidenceSelect } from './evidence-select.tsx';

interface Props {
  readonly control: Pick<Control, 'citation' | 'condition'>;
  readonly onClose: () => void;
}

/** Records a dated statement about a control under the person's name. */
export default function AttestDialog({ control: { citation, condition }, onClose }: Props) {
  const attest = useAttest(citation);
  const statement = useField('statement');
  const [applies, setApplies] = useState(true);
  const [evidence, setEvidence] = useState<string[]>([]);
  const until = useField('valid_until', () => localDate(Date.now() + 365 * day));
  const body = () => ({
    statement: statement.value,
    applies,
    valid_until: endOfLocalDay(until.value),
    ...(evidence.length > 0 ? { evidence_ids: evidence } : {}),
  });
  return (
    <FormDialog
      title={`Attest ${citation}`}
      submitLabel="Attest control"
      mutation={attest}
      onSubmit={options => attest.mutate(body(), options)}
      done={`${citation} attested`}
      onClose={onClose}
      aboveDrawer
    >
      <Text>
        An attestation with a document as evidence supports the control until it expires. Without evidence,
        the control is attested, not proven. The attestation stays on record with your name.
      </Text>
      {condition !== null && (
        <Checkbox
          label="This control doesn't apply to the organization"
          description={`Applies to: ${condition} The control then shows as not applicable, unless a finding is open.`}
          checked={!applies}
          onChange={event => setApplies(!event.currentTarget.checked)}
        />
      )}
      <TextAreaField
        label="Statement"
        description={
          applies
            ? 'What is in place, who is responsible, and where it is documented'
            : "Why it doesn't apply, who decided that, and where it is documented"
        }
        required
        minRows={4}
        maxRows={14}
        maxLength={4000}
        data-autofocus
        error={attest.error}
        {...statement}
      />
      <EvidenceSelect
        value={evidence}
        error={fieldError(attest.error, 'evidence_ids')}
        onChange={setEvidence}
      />
      <ExpiryField label="Valid until" error={attest.error} {...until} />
    </FormDialog>
  );
}
