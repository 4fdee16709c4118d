import { Button, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import type { SecondFactor, Session } from '../../src/contract/dashboard/session.ts';
import { ApiError } from '../api/api-error.ts';
import { passkeysSupported } from '../api/passkeys-supported.ts';
import { QuietButton } from '../components/quiet-button.tsx';
import { handleSubmit } from './form.tsx';
import { FormError } from './form-error.tsx';
import { TextField } from './text-field.tsx';
import { TotpField } from './totp-field.tsx';

interface Props {
  readonly factors: Session['second_factors'];
  /** Resolves once the service has accepted it. */
  readonly onSubmit: (factor: SecondFactor) => Promise<unknown>;
}

type Method = 'totp' | 'passkey' | 'backup_code';

const switchLabels: Readonly<Record<Method, string>> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  backup_code: 'Use a backup code',
};

/** Prompts for one of the person's second factors, the strongest first. */
export function SecondFactorForm({ factors, onSubmit }: Props) {
  const methods: Method[] = [];
  if (factors.passkeys > 0 && passkeysSupported) methods.push('passkey');
  if (factors.totp) methods.push('totp');
  if (factors.backup_codes_left > 0) methods.push('backup_code');
  const [chosen, choose] = useState<Method>();
  const method = chosen ?? methods[0] ?? 'totp';
  const [code, setCode] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error>();

  const send = async (factor: Promise<SecondFactor> | SecondFactor) => {
    setPending(true);
    setError(undefined);
    try {
      await onSubmit(await factor);
    } catch (failure) {
      setError(failure as Error);
      setCode('');
    } finally {
      setPending(false);
    }
  };
  const submit = () =>
    void send(method === 'passkey' ? askForPasskey() : { type: method, code: code.replace(/\s/g, '') });
  const switchTo = (other: Method) => {
    choose(other);
    setCode('');
    setError(undefined);
  };

  return (
    <form onSubmit={handleSubmit(submit)}>
      <Stack>
        {method === 'passkey' && (
          <Text c="dimmed">Your browser prompts for your fingerprint, face, PIN or security key.</Text>
        )}
        {method === 'totp' && <TotpField key="totp" value={code} onChange={setCode} autoFocus />}
        {method === 'backup_code' && (
          <TextField
            key="backup"
            label="Backup code"
            description="Each code works once"
            autoComplete="off"
            required
            autoFocus
            value={code}
            onChange={setCode}
          />
        )}
        <FormError error={error} />
        <Button
          type="submit"
          loading={pending}
          fullWidth
          {...(method === 'passkey'
            ? { leftSection: <IconFingerprint size={18} aria-hidden />, autoFocus: true }
            : {})}
        >
          {method === 'passkey' ? 'Use a passkey' : 'Continue'}
        </Button>
        {methods
          .filter(other => other !== method)
          .map(other => (
            <QuietButton key={other} ta="center" onClick={() => switchTo(other)}>
              {switchLabels[other]}
            </QuietButton>
          ))}
      </Stack>
    </form>
  );
}

/** The code for passkeys loads when needed, since not everyone has one. */
async function askForPasskey(): Promise<SecondFactor> {
  const { answerWithPasskey } = await import('../api/second-factor.ts');
  return answerWithPasskey().catch(error => {
    if (error instanceof ApiError) throw error;
    throw new Error('No passkey was used. Try again or use another method.');
  });
}
