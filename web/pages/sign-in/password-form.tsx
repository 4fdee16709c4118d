import { Button, Divider, PasswordInput, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '../../../src/contract/dashboard/session.ts';
import { apiUrl } from '../../api/client.ts';
import { asksForSecondFactor, factorCode } from '../../api/factor-code.ts';
import { passkeysSupported } from '../../api/passkeys-supported.ts';
import { useAdoptSession, useSession } from '../../api/session.ts';
import { signInWithPasskey, signInWithPassword } from '../../api/sign-in.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { fieldError } from '../../forms/error-messages.ts';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

/** Why signing in at the provider failed, by the code in the URL. */
const problems: Readonly<Record<string, string>> = {
  provider_unreachable: "Can't reach the provider. Try again or sign in with your password.",
  provider_refused: 'The provider refused the sign-in. Try again.',
  too_many_sign_ins: 'Too many sign-ins in the last hour. Wait a moment, then try again.',
  not_invited: 'This account has no invitation. Ask an owner or admin for one.',
};

/** Signs in with a password, a passkey or the provider. */
export function PasswordForm({ problem }: { readonly problem: string | null }) {
  const { oidc_provider: provider } = useSession();
  const [needsCode, setNeedsCode] = useState(false);
  const [code, setCode] = useState('');
  const signIn = useSignIn(signInWithPassword);
  const passkey = useSignIn(signInWithPasskey);
  const email = useField('email');
  const [password, setPassword] = useState('');
  const submit = () => {
    passkey.reset();
    const factor = needsCode && code !== '' ? { second_factor: factorCode(code) } : {};
    const onError = (error: Error) => {
      if (asksForSecondFactor(error)) setNeedsCode(true);
      else setPassword('');
      setCode('');
    };
    signIn.mutate({ email: email.value.trim(), password, ...factor }, { onError });
  };
  const providerError = problem ? new Error(problems[problem] ?? 'Signing in failed. Try again.') : null;
  return (
    <form onSubmit={handleSubmit(submit)}>
      <Stack>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          error={signIn.error}
          {...email}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          error={fieldError(signIn.error, 'password')}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {needsCode && (
          <TextField
            label="6-digit code or backup code"
            description="Too many incorrect passwords were entered from your network. Enter a second factor to sign in without waiting."
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={setCode}
          />
        )}
        <FormError error={passkey.error ?? signIn.error ?? providerError} />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        {(provider || passkeysSupported) && <Divider label="or" />}
        {passkeysSupported && (
          <Button
            variant="default"
            fullWidth
            loading={passkey.isPending}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => {
              signIn.reset();
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
        <Dimmed>Forgot password? Ask your administrator for a reset link.</Dimmed>
      </Stack>
    </form>
  );
}

function useSignIn<Variables = void>(mutationFn: (variables: Variables) => Promise<Session>) {
  return useMutation({ mutationFn, onSuccess: useAdoptSession() });
}
