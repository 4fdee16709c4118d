import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAddPasskey } from '../api/account.ts';
import { passkeysWorkHere } from '../api/passkeys-work-here.ts';
import { FormError, fieldError } from './form-error.tsx';

interface Props {
  /** Ten codes where this was the first second factor. */
  readonly onEnrolled: (backupCodes: readonly string[] | null) => void;
}

/** A new passkey, under a name that tells where it is. */
export function PasskeySetUp({ onEnrolled }: Props) {
  const add = useAddPasskey();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(name, { onSuccess: ({ backup_codes }) => onEnrolled(backup_codes) });
  };
  if (!passkeysWorkHere) {
    return (
      <Alert variant="light" title="Not at this address">
        Browsers keep passkeys for names over HTTPS. Open the dashboard by its name, or at http://localhost on
        the machine that it runs on. The authenticator app works everywhere.
      </Alert>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">
          A passkey is kept by this device, your password manager or a security key. It cannot be phished,
          since it works on this site only.
        </Text>
        <TextInput
          label="Name of the passkey"
          description="So that you know it again, such as “MacBook” or “Blue security key”."
          required
          maxLength={100}
          value={name}
          error={fieldError(add.error, 'name')}
          onChange={event => setName(event.currentTarget.value)}
        />
        <FormError error={add.error} />
        <Button
          type="submit"
          loading={add.isPending}
          leftSection={<IconFingerprint size={18} aria-hidden />}
          fullWidth
        >
          Add a passkey
        </Button>
      </Stack>
    </form>
  );
}
