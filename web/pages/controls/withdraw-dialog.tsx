import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWithdrawAttestation } from '../../api/controls.ts';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';

interface Props {
  readonly citation: string;
  readonly id: string;
  readonly onClose: () => void;
}

export function WithdrawDialog({ citation, id, onClose }: Props) {
  const withdraw = useWithdrawAttestation(citation);
  const [reason, setReason] = useState('');
  const submit = () => {
    withdraw.mutate(
      { id, reason },
      {
        onSuccess: () => {
          succeed('The attestation is withdrawn');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Withdraw the attestation"
      submitLabel="Withdraw attestation"
      act={withdraw}
      onSubmit={submit}
      onClose={onClose}
      danger
      above
    >
      <Text>It no longer supports {citation}. It stays in the history with your reason.</Text>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={reason}
        error={fieldError(withdraw.error, 'reason')}
        onChange={event => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
