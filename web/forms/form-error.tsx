import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';

/** What a form as a whole was refused for; nothing where a field already says it, or there is no error. */
export function FormError({ error }: { readonly error: Error | null | undefined }) {
  if (!error) return null;
  if (error instanceof ApiError && error.fields.some(field => field.path !== '')) return null;
  const wait = error instanceof ApiError && error.retryAfter;
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      {error.message}
      {wait ? ` Try again in ${wait < 90 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`}.` : ''}
    </Alert>
  );
}

/** What the service says of one field or of an entry of it, by its dotted path; for an input's `error`. */
export function fieldError(error: Error | null | undefined, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields.find(field => field.path === path || field.path.startsWith(`${path}.`))?.message;
}
