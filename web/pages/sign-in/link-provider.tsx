import { Button, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useLinkProvider } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { notify } from '../../components/notify.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { paths } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { useSwitchAccount } from './use-switch-account.ts';

interface Props {
  /** The account at the provider. */
  readonly identity: string;
  /** The account that is signed in. */
  readonly email: string;
  readonly token: string;
}

/** Asks the signed-in person whether to link their account at the provider. */
export function LinkProvider({ identity, email, token }: Props) {
  const { oidc_provider: provider } = useSession();
  const navigate = useNavigate();
  const switchAccount = useSwitchAccount();
  const link = useLinkProvider();
  const goHome = () => void navigate(paths.home, { replace: true });
  const onSuccess = () => {
    notify(`${provider} linked`);
    goHome();
  };
  return (
    <Entrance
      title={`Link ${provider}?`}
      description={`${identity} will be able to sign in to the Parapet account ${email}.`}
    >
      <Stack>
        <FormError error={link.error} />
        <Button loading={link.isPending} onClick={() => link.mutate(token, { onSuccess })}>
          Link {provider}
        </Button>
        <Button variant="default" onClick={goHome}>
          Don't link
        </Button>
        <QuietButton onClick={() => switchAccount.mutate()}>Use a different account</QuietButton>
      </Stack>
    </Entrance>
  );
}
