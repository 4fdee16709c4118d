import { Text } from '@mantine/core';
import { useWithdrawAttestation } from '../../api/controls.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';
import { useField } from '../../forms/use-field.ts';

interface Props {
  readonly citation: string;
  readonly id: string;
  readonly onClose: () => void;
}

export default function WithdrawDialog({ citation, id, onClose }: Props) {
  const withdraw = useWithdrawAttestation(citation);
  const reason = useField('reason');
  return (
    <FormDialog
      title="Withdraw attestation"
      submitLabel="Withdraw attestation"
      mutation={withdraw}
      onSubmit={options => withdraw.mutate({ id, reason: reason.value }, options)}
      done="Attestation withdrawn"
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
        error={withdraw.error}
        {...reason}
      />
    </FormDialog>
  );
}
