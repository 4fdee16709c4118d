import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FormError } from './form-error.tsx';

interface Props {
  readonly title: string;
  /** What the button says that sends the form. */
  readonly submitLabel: string;
  /** What sending it does: its error is shown, and the button waits for it. */
  readonly act: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** What cannot be taken back has a red button. */
  readonly danger?: boolean;
  /** Opened from a drawer, it is above that. */
  readonly above?: boolean;
  readonly children: ReactNode;
}

/** A dialog that asks for a few things and sends them, or is left. */
export function FormDialog({ title, submitLabel, act, onSubmit, onClose, danger, above, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} {...(above ? { zIndex: 300 } : {})}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <FormError error={act.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending} {...(danger ? { color: 'red.8' } : {})}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
