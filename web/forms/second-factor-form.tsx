import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { SecondFactor, Session } from '../../src/contract/dashboard/session.ts';
import { ApiError } from '../api/api-error.ts';
import { passkeysWorkHere } from '../api/passkeys-work-here.ts';
import { FormError } from './form-error.tsx';

interface Props {
  readonly factors: Session['second_factors'];
  /** Resolves when the service took it. */
  readonly onGiven: (factor: SecondFactor) => Promise<unknown>;
}

type Way = 'totp' | 'passkey' | 'backup_code';

/** One second factor of those that the person has: the strongest is offered first, the others below. */
export function SecondFactorForm({ factors, onGiven }: Props) {
  const ways: Way[] = [];
  if (factors.passkeys > 0 && passkeysWorkHere) ways.push('passkey');
  if (factors.totp) ways.push('totp');
  if (factors.backup_codes_left > 0) ways.push('backup_code');
  const [chosen, choose] = useState<Way>();
  const way = chosen ?? ways[0] ?? 'totp';
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();

  const give = async (ask: () => Promise<SecondFactor> | SecondFactor) => {
    setBusy(true);
    setError(undefined);
    try {
      await onGiven(await ask());
    } catch (failure) {
      setError(failure as Error);
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (way === 'passkey') return void give(askForPasskey);
    const compact = code.replace(/\s/g, '');
    void give(() => ({ type: way, code: compact }));
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        {way === 'passkey' && (
          <Text c="dimmed">
            Your browser will ask for your fingerprint, your face, a PIN or a security key.
          </Text>
        )}
        {way === 'totp' && (
          <TextInput
            key="totp"
            label="Six digits from your authenticator app"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            required
            data-autofocus
            autoFocus
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        )}
        {way === 'backup_code' && (
          <TextInput
            key="backup"
            label="One of your backup codes"
            description="Each works once."
            autoComplete="off"
            required
            autoFocus
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        )}
        <FormError error={error} />
        <Button
          type="submit"
          loading={busy}
          fullWidth
          {...(way === 'passkey'
            ? { leftSection: <IconFingerprint size={18} aria-hidden />, autoFocus: true }
            : {})}
        >
          {way === 'passkey' ? 'Use a passkey' : 'Continue'}
        </Button>
        {ways
          .filter(other => other !== way)
          .map(other => (
            <Anchor
              key={other}
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                choose(other);
                setCode('');
                setError(undefined);
              }}
            >
              {
                {
                  passkey: 'Use a passkey',
                  totp: 'Use the authenticator app',
                  backup_code: 'Use a backup code',
                }[other]
              }
            </Anchor>
          ))}
      </Stack>
    </form>
  );
}

/** Loaded when it is needed: not everyone has a passkey. */
async function askForPasskey(): Promise<SecondFactor> {
  const { answerWithPasskey } = await import('../api/second-factor.ts');
  return answerWithPasskey().catch(error => {
    if (error instanceof ApiError) throw error;
    throw new Error('No passkey was given. Try again, or use another way.');
  });
}
