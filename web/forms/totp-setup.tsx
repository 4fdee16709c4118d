import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { beginTotp, useConfirmTotp } from '../api/account.ts';
import { newTotpKey } from '../api/query-keys.ts';
import { CopyField } from '../components/copy-field.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { CardSkeleton } from '../components/loading.tsx';
import { Form } from './form.tsx';
import { TotpField } from './totp-field.tsx';

interface Props {
  /** Receives ten backup codes if this is the first second factor, else null. */
  readonly onEnrolled: (backupCodes: readonly string[] | null) => void;
}

/** Sets up an authenticator app. It counts once the person has entered a code from it. */
export function TotpSetup({ onEnrolled }: Props) {
  const secret = useQuery({
    queryKey: newTotpKey,
    queryFn: beginTotp,
    // Every request creates another secret, so one is kept for as long as this is open.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const confirm = useConfirmTotp();
  const [code, setCode] = useState('');
  if (secret.error) return <ErrorState error={secret.error} onRetry={() => void secret.refetch()} />;
  if (!secret.data) return <CardSkeleton height={420} />;
  const submit = () =>
    confirm.mutate(code, {
      onSuccess: ({ backup_codes }) => onEnrolled(backup_codes),
      onError: () => setCode(''),
    });
  return (
    <Form submitLabel="Turn on authenticator app" mutation={confirm} onSubmit={submit}>
      <Text>
        Scan this QR code with an authenticator app, such as Google Authenticator, 1Password or Aegis.
      </Text>
      <Group justify="center">
        <QrCode value={secret.data.uri} label="QR code of the secret" />
      </Group>
      <CopyField
        label="Can't scan it? Enter this secret"
        value={secret.data.secret.replace(/(.{4})(?=.)/g, '$1 ')}
      />
      <TotpField value={code} onChange={setCode} />
    </Form>
  );
}

/** A QR code of the text, black on white in both themes, since many cameras cannot read inverted codes. */
function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const { data, size } = encode(value, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={192}
      height={192}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
