import { Button, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { FormError } from '../../forms/form-error.tsx';
import { paths } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { useSwitchAccount } from './use-switch-account.ts';

interface Props {
  /** The account at the provider. */
  readonly identity: string;
  /** The account that is signed in. */
  readonly email: string;
}

/** Someone signed in at the provider while another person is signed in here. */
export function OtherAccountSignedIn({ identity, email }: Props) {
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
