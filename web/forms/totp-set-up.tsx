import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { beginTotp, useConfirmTotp } from '../api/account.ts';
import { newTotpKey } from '../api/query-keys.ts';
import { ErrorState } from '../components/error-state.tsx';
import { CardSkeleton } from '../components/loading.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { SecretField } from '../components/secret-field.tsx';
import { FormError } from './form-error.tsx';

interface Props {
  /** Ten codes where this was the first second factor. */
  readonly onEnrolled: (backupCodes: readonly string[] | null) => void;
}

/** A new secret for an authenticator app. It counts once a code of it was given. */
export function TotpSetUp({ onEnrolled }: Props) {
  const secret = useQuery({
    queryKey: newTotpKey,
    queryFn: beginTotp,
    // Each asking makes another secret: one for each time that this is open.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const confirm = useConfirmTotp();
  const [code, setCode] = useState('');
  if (secret.error) return <ErrorState error={secret.error} onRetry={() => void secret.refetch()} />;
  if (!secret.data) return <CardSkeleton height={420} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code, {
      onSuccess: ({ backup_codes }) => onEnrolled(backup_codes),
      onError: () => setCode(''),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>Scan this with an authenticator app, such as Google Authenticator, 1Password or Aegis.</Text>
        <Group justify="center">
          <QrCode value={secret.data.uri} label="QR code of the secret" />
        </Group>
        <SecretField
          label="No camera? Type this secret"
          value={secret.data.secret.replace(/(.{4})(?=.)/g, '$1 ')}
        />
        <TextInput
          label="Six digits that the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,7}"
          required
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <FormError error={confirm.error} />
        <Button type="submit" loading={confirm.isPending} fullWidth>
          Turn on the authenticator app
        </Button>
      </Stack>
    </form>
  );
}
