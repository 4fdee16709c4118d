import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';
import { inWaitingTime } from '../formats/numbers.ts';

/** Why a form was refused; nothing if there is no error, or if a field shows it. */
export function FormError({ error }: { readonly error: Error | null | undefined }) {
  if (!error) return null;
  if (error instanceof ApiError && error.fields.some(field => field.path !== '')) return null;
  const wait = error instanceof ApiError && error.retryAfter;
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      {error.message}
      {wait ? ` Try again ${inWaitingTime(wait)}.` : ''}
    </Alert>
  );
}

/** The service's message about a field or one of its entries, by its dotted path; for an input's `error`. */
export function fieldError(error: Error | null | undefined, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields.find(field => field.path === path || field.path.startsWith(`${path}.`))?.message;
}
