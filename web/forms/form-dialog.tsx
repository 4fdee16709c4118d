import { Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { DialogButtons } from '../components/dialog-buttons.tsx';
import { FormError } from './form-error.tsx';

interface Props {
  readonly title: string;
  /** Names the action: `Save view`, never `OK`. */
  readonly submitLabel: string;
  /** What submitting does. Its error is shown in the form. */
  readonly mutation: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly disabled?: boolean;
  /** A red button, for what can't be undone. */
  readonly danger?: boolean;
  /** Set where the dialog opens from a drawer. */
  readonly aboveDrawer?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a form. */
export function FormDialog(props: Props) {
  const { title, submitLabel, mutation, onSubmit, onClose, disabled, danger, aboveDrawer, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} {...(aboveDrawer ? { zIndex: 300 } : {})}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <FormError error={mutation.error} />
          <DialogButtons
            submitLabel={submitLabel}
            pending={mutation.isPending}
            disabled={disabled}
            danger={danger}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
