import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { SecondFactor, Session } from '../../src/contract/dashboard/session.ts';
import { ApiError } from '../api/api-error.ts';
import { request } from '../api/client.ts';
import { confirmAtProvider } from '../api/provider-window.ts';
import { useAdoptSession, useSession, useSessionMutation } from '../api/session.ts';
import { CurrentPassword } from './current-password.tsx';
import { Form } from './form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks people to confirm their identity, and reports whether they did. */
export default function StepUpDialog({ onEnd }: { readonly onEnd: (confirmed: boolean) => void }) {
  const { step_up_ways: methods } = useSession();
  const confirmed = () => onEnd(true);
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
      title="Confirm it's you"
      // Above the dialog in which the refused action started.
      zIndex={400}
    >
      {methods.includes('second_factor') && <BySecondFactor onConfirmed={confirmed} />}
      {methods.includes('password') && <ByPassword onConfirmed={confirmed} />}
      {methods.includes('provider') && <ByProvider onConfirmed={confirmed} />}
      {methods.length === 0 && (
        <Text>Your account has no way to confirm your identity. Ask your administrator.</Text>
      )}
    </Modal>
  );
}

interface Props {
  readonly onConfirmed: () => void;
}

function BySecondFactor({ onConfirmed }: Props) {
  const { second_factors: factors } = useSession();
  const stepUp = useSessionMutation<SecondFactor>('/second-factor');
  const submit = async (factor: SecondFactor) => {
    await stepUp.mutateAsync(factor);
    onConfirmed();
  };
  return (
    <Stack>
      <Text>Enter a second factor to continue. You won't need to confirm again for five minutes.</Text>
      <SecondFactorForm factors={factors} onSubmit={submit} />
    </Stack>
  );
}

function ByPassword({ onConfirmed }: Props) {
  const stepUp = useSessionMutation<{ password: string }>('/step-up/password');
  const [password, setPassword] = useState('');
  const isWrong = stepUp.error instanceof ApiError && stepUp.error.code === 'password_wrong';
  const submit = () =>
    stepUp.mutate({ password }, { onSuccess: onConfirmed, onError: () => setPassword('') });
  return (
    <Form
      submitLabel="Continue"
      mutation={{ isPending: stepUp.isPending, error: isWrong ? null : stepUp.error }}
      onSubmit={submit}
    >
      <Text>Enter your password to continue. You won't need to confirm again for five minutes.</Text>
      <CurrentPassword
        label="Password"
        value={password}
        error={isWrong && 'Incorrect password'}
        onChange={setPassword}
      />
    </Form>
  );
}

function ByProvider({ onConfirmed }: Props) {
  const { oidc_provider: provider } = useSession();
  const adopt = useAdoptSession();
  const stop = useRef(() => {});
  const [blocked, setBlocked] = useState(false);
  useEffect(() => () => stop.current(), []);
  const open = () => {
    stop.current();
    const opened = confirmAtProvider(async () => {
      adopt(await request<Session>('GET', '/session'));
      onConfirmed();
    });
    setBlocked(!opened);
    stop.current = opened ?? (() => {});
  };
  return (
    <Stack>
      <Text>
        Sign in with {provider} again to continue. You won't need to confirm again for five minutes.
      </Text>
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
