import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { InvitationPreview } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionAct, useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { paths, queryString } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Joins an organization by a link: as who one is already, or with a new account. */
export default function InvitationPage() {
  const token = useLinkToken();
  return (
    <LinkPreview<InvitationPreview> path="/invitations/preview" token={token} title="Invitation">
      {preview => (
        <Entrance
          title={`Join ${preview.organization_name}`}
          description={`${preview.invited_by ?? 'The operator'} invited ${preview.email} as ${article(preview.role)}.`}
        >
          {preview.has_account ? (
            <AcceptSignedIn token={token} preview={preview} />
          ) : (
            <AcceptAsNew token={token} preview={preview} />
          )}
        </Entrance>
      )}
    </LinkPreview>
  );
}

const article = (role: string) => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`;

interface Props {
  readonly token: string;
  readonly preview: InvitationPreview;
}

function AcceptSignedIn({ token, preview }: Props) {
  const { state, person } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const act = useSessionAct<{ token: string }>('/invitations/accept');
  if (state !== 'signed_in' || !person) {
    return (
      <Stack>
        <Text>{preview.email} has an account here. Sign in with it, and you come back to this page.</Text>
        <Button
          component={Link}
          to={paths.signIn + queryString({ next: `${paths.invitation}#token=${token}` })}
        >
          Sign in
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>You are signed in as {person.email}.</Text>
      <FormError error={act.error} />
      <Button
        loading={act.isPending}
        onClick={() =>
          act.mutate({ token }, { onSuccess: () => void navigate(paths.home, { replace: true }) })
        }
      >
        Join {preview.organization_name}
      </Button>
      <QuietButton onClick={() => signOut.mutate()}>Sign in as somebody else</QuietButton>
    </Stack>
  );
}

function AcceptAsNew({ token, preview }: Props) {
  const navigate = useNavigate();
  const act = useSessionAct<object>('/invitations/accept');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(
      { token, name, password },
      { onSuccess: () => void navigate(paths.signIn, { replace: true }) },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* For password managers, which keep the password under it. */}
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          value={preview.email}
          readOnly
        />
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fieldError(act.error, 'name')}
          onChange={event => setName(event.currentTarget.value)}
        />
        <NewPassword
          value={password}
          onChange={setPassword}
          known={[preview.organization_name, preview.email, name]}
          error={fieldError(act.error, 'password')}
        />
        <FormError error={act.error} />
        <Button type="submit" loading={act.isPending} fullWidth>
          Join {preview.organization_name}
        </Button>
      </Stack>
    </form>
  );
}
