import { Text } from '@mantine/core';
import { useState } from 'react';
import { useLinkEvidence } from '../../api/controls.ts';
import { fieldError } from '../../forms/error-messages.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { EvidenceSelect } from './evidence-select.tsx';

interface Props {
  readonly citation: string;
  readonly id: string;
  readonly onClose: () => void;
}

export default function LinkEvidenceDialog({ citation, id, onClose }: Props) {
  const link = useLinkEvidence(citation);
  const [ids, setIds] = useState<string[]>([]);
  return (
    <FormDialog
      title={`Link evidence to ${citation}`}
      submitLabel="Link evidence"
      mutation={link}
      onSubmit={options => link.mutate({ id, evidence_ids: ids }, options)}
      done="Evidence linked"
      onClose={onClose}
      aboveDrawer
    >
      <Text>Links are part of the record and can't be removed.</Text>
      <EvidenceSelect value={ids} error={fieldError(link.error, 'evidence_ids')} onChange={setIds} required />
    </FormDialog>
  );
}
