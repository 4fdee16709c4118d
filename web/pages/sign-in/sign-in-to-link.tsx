import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { useSession, useSessionMutation } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { paths, queryString } from '../../paths.ts';
import { Entrance } from './entrance.tsx';

interface Props {
  /** The account at the provider. */
  readonly identity: string;
  /** Whether its owner may replace the existing account. */
  readonly claimable: boolean;
  readonly token: string;
}

/** The email address from the provider belongs to an account that is not linked to it. */
export function SignInToLink({ identity, claimable, token }: Props) {
  const { oidc_provider: provider } = useSession();
  return (
    <Entrance
      title="Link your account"
      description={`An account for ${identity} exists. It isn't linked to ${provider}.`}
    >
      <Stack>
        <Text>If the account is yours, sign in once to link {provider}.</Text>
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
        {claimable ? <ClaimAddress token={token} /> : <Dimmed>Can't sign in? Ask your administrator.</Dimmed>}
      </Stack>
    </Entrance>
  );
}

/** For the owner of an email address that someone else used for an account. */
function ClaimAddress({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const claim = useSessionMutation<{ token: string }>('/oidc/claim');
  return (
    <Alert variant="light" color="orange" title="Not your account?">
      <Stack gap="sm">
        <Text size="sm">
          The owner of that account never verified this email address. You can close it and get a new account.
          Its password, second factors, sessions and memberships are removed. This can't be undone.
        </Text>
        <FormError error={claim.error} />
        <Button
          variant="default"
          loading={claim.isPending}
          onClick={() =>
            claim.mutate({ token }, { onSuccess: () => void navigate(paths.home, { replace: true }) })
          }
        >
          Close account and start over
        </Button>
      </Stack>
    </Alert>
  );
}
