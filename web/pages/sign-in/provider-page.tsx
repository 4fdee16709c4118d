import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { PendingIdentity } from '../../../src/contract/dashboard/session.ts';
import { request } from '../../api/client.ts';
import { reportConfirmed } from '../../api/provider-window.ts';
import { tokenKey } from '../../api/query-keys.ts';
import { useSession, useSessionMutation } from '../../api/session.ts';
import { CardSkeleton } from '../../components/loading.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { paths } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { LinkProvider } from './link-provider.tsx';
import { SignInToLink } from './sign-in-to-link.tsx';
import { useLinkToken } from './use-link-token.ts';
import { useSwitchAccount } from './use-switch-account.ts';

/** Where the provider returns to if the person has to decide something, or to report a confirmed identity. */
export default function ProviderPage() {
  const token = useLinkToken();
  const navigate = useNavigate();
  // Removes the token from the browser's history.
  useEffect(() => {
    if (token !== '') void navigate({ hash: '' }, { replace: true });
  }, [navigate, token]);
  const path = '/oidc/pending';
  const query = useQuery({
    queryKey: tokenKey(path, token),
    queryFn: () => request<PendingIdentity>('POST', path, { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (token === '' || query.error) return <NotCompleted />;
  if (!query.data) {
    return (
      <Entrance title="Signing in">
        <CardSkeleton height={160} />
      </Entrance>
    );
  }
  if (query.data.purpose === 'step_up') return <StepUpInWindow token={token} />;
  return <Decide pending={query.data} token={token} />;
}

function NotCompleted() {
  return (
    <Entrance title="Sign-in not completed">
      <Stack>
        <Alert color="red" variant="light">
          The provider didn't confirm your identity, or more than ten minutes have passed. Try again.
        </Alert>
        <Button component={Link} to={paths.home} variant="default">
          Continue
        </Button>
      </Stack>
    </Entrance>
  );
}

/** Completes a step-up in the window that its dialog opened. */
function StepUpInWindow({ token }: { readonly token: string }) {
  const { mutate, isSuccess, error } = useSessionMutation<{ token: string }>('/oidc/step-up');
  const started = useRef(false);
  useEffect(() => {
    // The token works once, and effects may run twice.
    if (started.current) return;
    started.current = true;
    mutate({ token }, { onSuccess: reportConfirmed });
  }, [mutate, token]);
  return (
    <Entrance title="Confirm it's you">
      <FormError error={error} />
      {isSuccess && <Text>Confirmed. You can close this window.</Text>}
    </Entrance>
  );
}

function Decide({ pending, token }: { readonly pending: PendingIdentity; readonly token: string }) {
  const { state, person, oidc_provider: provider } = useSession();
  const identity = pending.email ?? `your ${provider} account`;
  if (state !== 'signed_in' || !person) {
    return <SignInToLink identity={identity} claimable={pending.claimable} token={token} />;
  }
  const isOther =
    pending.purpose === 'sign_in' && pending.email?.toLowerCase() !== person.email.toLowerCase();
  if (isOther) return <OtherAccountSignedIn identity={identity} email={person.email} />;
  return <LinkProvider identity={identity} email={person.email} token={token} />;
}

interface OtherAccountSignedInProps {
  /** The account at the provider. */
  readonly identity: string;
  /** The account that is signed in. */
  readonly email: string;
}

/** Someone signed in at the provider while another person is signed in here. */
function OtherAccountSignedIn({ identity, email }: OtherAccountSignedInProps) {
  const { oidc_provider: provider } = useSession();
  const signOut = useSwitchAccount();
  return (
    <Entrance
      title="Another account is signed in"
      description={`You signed in with ${provider} as ${identity}. This browser is signed in as ${email}.`}
    >
      <Stack>
        <FormError error={signOut.error} />
        <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and continue as {identity}
        </Button>
        <Button component={Link} to={paths.home} variant="default">
          Stay signed in
        </Button>
      </Stack>
    </Entrance>
  );
}
