import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Session } from '../../../src/contract/dashboard/session.ts';
import { apiUrl } from '../../api/client.ts';
import { passkeysWorkHere } from '../../api/passkeys-work-here.ts';
import { useAdoptSession, useSession } from '../../api/session.ts';
import { asksForSecondFactor, factorCode, signInWithPasskey, signInWithPassword } from '../../api/sign-in.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

/** Why a provider's sign-in came back without a person, as the address says it. */
const problems: Readonly<Record<string, string>> = {
  provider_unreachable: 'The provider cannot be reached. Try again, or sign in with your password.',
  provider_refused: 'The provider did not let you in. Try again.',
  too_many_sign_ins: 'You signed in many times within an hour. Wait a moment, then try again.',
  not_invited: 'Nobody invited this account. Ask an owner or admin for an invitation.',
};

/** The first factor, or a provider that the operator has set up. */
export function PasswordForm({ problem }: { readonly problem: string | null }) {
  const { oidc_provider: provider } = useSession();
  const [asked, ask] = useState(false);
  const [code, setCode] = useState('');
  const act = useSignIn((credentials: Parameters<typeof signInWithPassword>[0]) =>
    signInWithPassword(credentials),
  );
  const passkey = useSignIn(() => signInWithPasskey());
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    passkey.reset();
    const factor = asked && code !== '' ? { second_factor: factorCode(code) } : {};
    const onError = (error: Error) => {
      if (asksForSecondFactor(error)) ask(true);
      else setPassword('');
      setCode('');
    };
    act.mutate({ email: email.trim(), password, ...factor }, { onError });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          error={fieldError(act.error, 'email')}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          error={fieldError(act.error, 'password')}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {asked && (
          <TextInput
            label="Six digits from your authenticator app, or a backup code"
            description="There were many wrong guesses from your network. With your password and a second factor you need not wait."
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        )}
        <FormError
          error={
            passkey.error ?? act.error ?? (problem ? new Error(problems[problem] ?? 'Try again.') : null)
          }
        />
        <Button type="submit" loading={act.isPending} fullWidth>
          Sign in
        </Button>
        {(provider || passkeysWorkHere) && <Divider label="or" />}
        {passkeysWorkHere && (
          <Button
            variant="default"
            fullWidth
            loading={passkey.isPending}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => {
              act.reset();
              passkey.mutate();
            }}
          >
            Sign in with a passkey
          </Button>
        )}
        {provider && (
          <Button component="a" variant="default" fullWidth href={apiUrl('/oidc/begin')}>
            Sign in with {provider}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          Forgotten? Whoever runs this service can make a link for a new password.
        </Text>
      </Stack>
    </form>
  );
}

function useSignIn<Variables = void>(mutationFn: (variables: Variables) => Promise<Session>) {
  return useMutation({ mutationFn, onSuccess: useAdoptSession() });
}
