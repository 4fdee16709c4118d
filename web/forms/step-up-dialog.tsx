import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SecondFactor, Session } from '../../src/contract/dashboard/session.ts';
import { ApiError } from '../api/api-error.ts';
import { request } from '../api/client.ts';
import { confirmAtProvider } from '../api/provider-window.ts';
import { useAdoptSession, useSession, useSessionMutation } from '../api/session.ts';
import { FormError } from './form-error.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks the person to confirm who they are; ends with whether they did. */
export default function StepUpDialog({ onEnd }: { readonly onEnd: (given: boolean) => void }) {
  const { step_up_ways: ways } = useSession();
  const done = () => onEnd(true);
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
      title="Confirm that it is you"
      // Above whatever dialog the refused action began in.
      zIndex={400}
    >
      {ways.includes('second_factor') && <BySecondFactor onDone={done} />}
      {ways.includes('password') && <ByPassword onDone={done} />}
      {ways.includes('provider') && <ByProvider onDone={done} />}
      {ways.length === 0 && (
        <Text>Your account has no way to confirm this. Ask the person who runs this service.</Text>
      )}
    </Modal>
  );
}

function BySecondFactor({ onDone }: { readonly onDone: () => void }) {
  const { second_factors: factors } = useSession();
  const act = useSessionMutation<SecondFactor>('/second-factor');
  const give = async (factor: SecondFactor) => {
    await act.mutateAsync(factor);
    onDone();
  };
  return (
    <Stack>
      <Text>Enter a second factor to continue. You won't be asked again for five minutes.</Text>
      <SecondFactorForm factors={factors} onGiven={give} />
    </Stack>
  );
}

function ByPassword({ onDone }: { readonly onDone: () => void }) {
  const { person } = useSession();
  const act = useSessionMutation<{ password: string }>('/step-up/password');
  const [password, setPassword] = useState('');
  const wrong = act.error instanceof ApiError && act.error.code === 'password_wrong';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ password }, { onSuccess: onDone, onError: () => setPassword('') });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>Enter your password to continue. You won't be asked again for five minutes.</Text>
        <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          error={wrong && 'Incorrect password'}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {!wrong && <FormError error={act.error} />}
        <Button type="submit" loading={act.isPending} fullWidth>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

function ByProvider({ onDone }: { readonly onDone: () => void }) {
  const { oidc_provider: provider } = useSession();
  const adopt = useAdoptSession();
  const stop = useRef(() => {});
  const [blocked, setBlocked] = useState(false);
  useEffect(() => () => stop.current(), []);
  const open = () => {
    stop.current();
    const opened = confirmAtProvider(async () => {
      adopt(await request<Session>('GET', '/session'));
      onDone();
    });
    setBlocked(!opened);
    stop.current = opened ?? (() => {});
  };
  return (
    <Stack>
      <Text>Sign in with {provider} again to continue. You won't be asked again for five minutes.</Text>
      {blocked && (
        <Alert role="alert" color="red" variant="light">
          Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.
        </Alert>
      )}
      <Button fullWidth onClick={open}>
        Sign in with {provider}
      </Button>
    </Stack>
  );
}
