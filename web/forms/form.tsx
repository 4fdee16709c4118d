import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FormError } from './form-error.tsx';

/** Submits a form by a handler instead of by the browser. */
export const handleSubmit = (onSubmit: () => void) => (event: FormEvent) => {
  event.preventDefault();
  onSubmit();
};

interface Props {
  /** Names the action: `Set password`, never `OK`. */
  readonly submitLabel: string;
  readonly icon?: ReactNode;
  /** What submitting does. Its error is shown in the form. */
  readonly mutation: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Inputs above the button that submits them. */
export function Form({ submitLabel, icon, mutation, onSubmit, children }: Props) {
  return (
    <form onSubmit={handleSubmit(onSubmit)}>
      <Stack>
        {children}
        <FormError error={mutation.error} />
        <Button type="submit" loading={mutation.isPending} leftSection={icon} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
