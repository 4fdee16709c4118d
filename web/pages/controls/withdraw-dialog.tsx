import { Text } from '@mantine/core';
import { useState } from 'react';
import { useWithdrawAttestation } from '../../api/controls.ts';
import { notify } from '../../components/notify.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';

interface Props {
  readonly citation: string;
  readonly id: string;
  readonly onClose: () => void;
}

export function WithdrawDialog({ citation, id, onClose }: Props) {
  const withdraw = useWithdrawAttestation(citation);
  const [reason, setReason] = useState('');
  const onSuccess = () => {
    notify('Attestation withdrawn');
    onClose();
  };
  return (
    <FormDialog
      title="Withdraw attestation"
      submitLabel="Withdraw attestation"
      mutation={withdraw}
      onSubmit={() => withdraw.mutate({ id, reason }, { onSuccess })}
      onClose={onClose}
      danger
      aboveDrawer
    >
      <Text>It no longer supports {citation}. It stays in the history with your reason.</Text>
      <TextAreaField
        label="Reason"
        required
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={reason}
        path="reason"
        error={withdraw.error}
        onChange={setReason}
      />
    </FormDialog>
  );
}
