import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError } from '../forms/form-error.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and whether it can be taken back. */
  readonly children: ReactNode;
  /** The act itself: `Revoke key`, never `OK`. */
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks once before something that matters is done. */
export function ConfirmDialog({ opened, onClose, title, children, confirmLabel, danger, onConfirm }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const close = () => {
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <div>{children}</div>
        <FormError error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button {...(danger ? { color: 'red.8' } : {})} loading={busy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
