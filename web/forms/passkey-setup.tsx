import { Alert, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useAddPasskey } from '../api/account.ts';
import { passkeysSupported } from '../api/passkeys-supported.ts';
import { Form } from './form.tsx';
import { TextField } from './text-field.tsx';
import { useField } from './use-field.ts';

interface Props {
  /** Receives ten backup codes if this is the first second factor, else null. */
  readonly onEnrolled: (backupCodes: readonly string[] | null) => void;
}

/** Adds a passkey under a name of the person's choice. */
export function PasskeySetup({ onEnrolled }: Props) {
  const add = useAddPasskey();
  const name = useField('name');
  if (!passkeysSupported) {
    return (
      <Alert variant="light" title="Passkeys don't work at this address">
        Passkeys require HTTPS and a host name. Open the dashboard at its host name, or at http://localhost on
        the machine that runs it. An authenticator app works at any address.
      </Alert>
    );
  }
  return (
    <Form
      submitLabel="Add passkey"
      icon={<IconFingerprint size={18} aria-hidden />}
      mutation={add}
      onSubmit={() => add.mutate(name.value, { onSuccess: ({ backup_codes }) => onEnrolled(backup_codes) })}
    >
      <Text c="dimmed">
        A passkey is stored on this device, in your password manager or on a security key. It works only on
        this site, so it can't be phished.
      </Text>
      <TextField
        label="Passkey name"
        description="e.g. “MacBook” or “Blue security key”"
        required
        maxLength={100}
        error={add.error}
        {...name}
      />
    </Form>
  );
}
