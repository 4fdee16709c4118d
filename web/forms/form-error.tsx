import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formMessage } from './error-messages.ts';

/** Why a form was refused; nothing if there is no error, or if a field shows it. */
export function FormError({ error }: { readonly error: Error | null | undefined }) {
  const message = formMessage(error);
  if (!message) return null;
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      {message}
    </Alert>
  );
}
