import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError } from '../forms/form-error.tsx';
import { Dialog } from '../later/dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** Names the action: `Revoke key`, never `OK`. */
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Set where the dialog opens from a drawer. */
  readonly aboveDrawer?: boolean;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Requires confirmation before an action with consequences. */
export function ConfirmDialog(props: Props) {
  const { opened, onClose, title, children, confirmLabel, danger, aboveDrawer, onConfirm } = props;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  const close = () => {
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog opened={opened} onClose={close} title={title} {...(aboveDrawer ? { zIndex: 300 } : {})}>
      <Stack>
        <div>{children}</div>
        <FormError error={error} />
        <DialogButtons
          submitLabel={confirmLabel}
          pending={pending}
          danger={danger}
          onCancel={close}
          onSubmit={() => void confirm()}
        />
      </Stack>
    </Dialog>
  );
}
