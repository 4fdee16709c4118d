import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogButtons } from '../components/dialog-buttons.tsx';
import { notify } from '../components/notify.ts';
import { Dialog } from '../later/dialog.tsx';
import { handleSubmit } from './form.tsx';
import { FormError } from './form-error.tsx';

interface Props {
  readonly title: string;
  /** Names the action: `Save view`, never `OK`. */
  readonly submitLabel: string;
  /** What submitting does. Its error is shown in the form. */
  readonly mutation: { readonly error: Error | null; readonly isPending: boolean };
  /** Submits with these options, which close the dialog on success. */
  readonly onSubmit: (options: { readonly onSuccess: () => void }) => void;
  /** The notification of success: `View saved`. */
  readonly done?: string;
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
  const { title, submitLabel, mutation, onSubmit, onClose, done, disabled, danger, aboveDrawer, children } =
    props;
  const onSuccess = () => {
    if (done) notify(done);
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={title} {...(aboveDrawer ? { zIndex: 300 } : {})}>
      <form onSubmit={handleSubmit(() => onSubmit({ onSuccess }))}>
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
    </Dialog>
  );
}
