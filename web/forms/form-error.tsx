import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.ts';
import { RequestId } from '../components/error-state.tsx';
import { formMessage } from './error-messages.ts';

/** Whether the message says what to change. Otherwise the log explains it. */
function hasReason(error: Error): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== undefined;
}

/** Why a form was refused; nothing if there is no error, or if a field shows it. Moves the focus to the first field that does. */
export function FormError({ error }: { readonly error: Error | null | undefined }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // It may be out of view.
    const first =
      error && place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    first?.focus();
  }, [error]);
  const message = formMessage(error);
  return (
    <>
      <span ref={place} hidden />
      {message && (
        <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {message}
          {error && !hasReason(error) && <RequestId error={error} />}
        </Alert>
      )}
    </>
  );
}
