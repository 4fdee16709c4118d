import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWithdrawAttestation } from '../../api/controls.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

interface Props {
  readonly citation: string;
  readonly id: string;
  readonly onClose: () => void;
}

export function WithdrawDialog({ citation, id, onClose }: Props) {
  const withdraw = useWithdrawAttestation(citation);
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
    <Modal opened onClose={onClose} title="Withdraw the attestation" zIndex={300}>
      <form onSubmit={submit}>
        <Stack>
          <Text>It supports {citation} no longer. It stays in the history, with your reason.</Text>
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
          <FormError error={withdraw.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={withdraw.isPending}>
              Withdraw attestation
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
