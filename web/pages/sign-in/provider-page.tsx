import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { PendingIdentity } from '../../../src/contract/dashboard/session.ts';
import { useLinkProvider } from '../../api/account.ts';
import { apiUrl, request } from '../../api/client.ts';
import { tellConfirmed } from '../../api/provider-window.ts';
import { tokenKey } from '../../api/query-keys.ts';
import { useSession, useSessionMutation, useSignOut } from '../../api/session.ts';
import { CardSkeleton } from '../../components/loading.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormError } from '../../forms/form-error.tsx';
import { paths, queryString } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Where the provider's sign-in comes back to when there is something to decide, or something was confirmed. */
export default function ProviderPage() {
  const token = useLinkToken();
  const navigate = useNavigate();
  // Who uses the browser next does not find it in its history.
  useEffect(() => {
    if (token !== '') void navigate({ hash: '' }, { replace: true });
  }, [navigate, token]);
  const query = useQuery({
    queryKey: tokenKey('/oidc/pending', token),
    queryFn: () => request<PendingIdentity>('POST', '/oidc/pending', { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (token === '' || query.error) return <NothingPending />;
  if (!query.data) {
    return (
      <Entrance title="One moment">
        <CardSkeleton height={160} />
      </Entrance>
    );
  }
  const pending = query.data;
  if (pending.purpose === 'step_up') return <Confirm token={token} />;
  return <Decide pending={pending} token={token} />;
}

function NothingPending() {
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

/** In the window that the step-up dialog has opened. */
function Confirm({ token }: { readonly token: string }) {
  const { mutate, isSuccess, error } = useSessionMutation<{ token: string }>('/oidc/step-up');
  const begun = useRef(false);
  useEffect(() => {
    // Works once, and effects may run twice.
    if (begun.current) return;
    begun.current = true;
    mutate({ token }, { onSuccess: tellConfirmed });
  }, [mutate, token]);
  return (
    <Entrance title="Confirm that it is you">
      <FormError error={error} />
      {isSuccess && <Text>Confirmed. You can close this window.</Text>}
    </Entrance>
  );
}

interface DecideProps {
  readonly pending: PendingIdentity;
  readonly token: string;
}

function Decide({ pending, token }: DecideProps) {
  const { state, person, oidc_provider: provider } = useSession();
  const identity = pending.email ?? `your ${provider} account`;
  if (state === 'signed_in' && person) {
    const isOther =
      pending.purpose === 'sign_in' && pending.email?.toLowerCase() !== person.email.toLowerCase();
    if (isOther) return <SignedInAsOther identity={identity} email={person.email} />;
    return <LinkSignedIn identity={identity} email={person.email} token={token} />;
  }
  return (
    <Entrance
      title="Link your account"
      description={`An account for ${identity} exists. It isn't linked to ${provider}.`}
    >
      <Stack>
        <Text>If the account is yours, sign in to it once to link {provider}.</Text>
        <Button
          component={Link}
          to={{
            pathname: paths.signIn,
            search: queryString({ next: paths.provider }),
            hash: `#token=${token}`,
          }}
        >
          Sign in to link
        </Button>
        {pending.claimable ? (
          <Claim token={token} />
        ) : (
          <Text size="sm" c="dimmed">
            Can't sign in to it? Ask the person who runs this service.
          </Text>
        )}
      </Stack>
    </Entrance>
  );
}

/** For the owner of an address under which somebody else has made an account. */
function Claim({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const act = useSessionMutation<{ token: string }>('/oidc/claim');
  return (
    <Alert variant="light" color="orange" title="Not your account?">
      <Stack gap="sm">
        <Text size="sm">
          The owner of that account never verified this e-mail address. You can close it and get a new
          account. Its password, second factors, sessions and memberships are removed. This can't be undone.
        </Text>
        <FormError error={act.error} />
        <Button
          variant="default"
          loading={act.isPending}
          onClick={() =>
            act.mutate({ token }, { onSuccess: () => void navigate(paths.home, { replace: true }) })
          }
        >
          Close it and start over
        </Button>
      </Stack>
    </Alert>
  );
}

/** Who comes by the provider while somebody else is signed in: theirs is another account. */
function SignedInAsOther({ identity, email }: LinkProps) {
  const { oidc_provider: provider } = useSession();
  const signOut = useSignOutToProvider();
  return (
    <Entrance
      title="Another account is signed in"
      description={`${provider} says that you are ${identity}. This browser is signed in as ${email}.`}
    >
      <Stack>
        <FormError error={signOut.error} />
        <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and go on as {identity}
        </Button>
        <Button component={Link} to={paths.home} variant="default">
          Stay signed in
        </Button>
      </Stack>
    </Entrance>
  );
}

/** Signs out, which forgets whom the provider vouched for, and asks it again. */
function useSignOutToProvider() {
  const { mutate, ...act } = useSignOut();
  const onSuccess = () => window.location.assign(apiUrl('/oidc/begin'));
  return { ...act, mutate: () => mutate(undefined, { onSuccess }) };
}

interface LinkProps {
  readonly identity: string;
  readonly email: string;
}

function LinkSignedIn({ identity, email, token }: LinkProps & { readonly token: string }) {
  const { oidc_provider: provider } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOutToProvider();
  const link = useLinkProvider();
  const home = () => void navigate(paths.home, { replace: true });
  return (
    <Entrance
      title={`Link ${provider}?`}
      description={`${identity} will be able to sign in to the Parapet account ${email}.`}
    >
      <Stack>
        <FormError error={link.error} />
        <Button
          loading={link.isPending}
          onClick={() =>
            link.mutate(token, {
              onSuccess: () => {
                succeed(`${provider} linked`);
                home();
              },
            })
          }
        >
          Link {provider}
        </Button>
        <Button variant="default" onClick={home}>
          Don't link
        </Button>
        <QuietButton onClick={() => signOut.mutate()}>Use a different account</QuietButton>
      </Stack>
    </Entrance>
  );
}
