import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { InvitationPreview } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation, useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { paths, queryString } from '../../paths.ts';
import { Enrolment } from './enrolment.tsx';
import { Entrance } from './entrance.tsx';
import { invitationSentence, needsSecondFactor } from './invitation-words.ts';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Joins an organization by a link: signed in, with an account that may have to be made first. */
export default function InvitationPage() {
  const token = useLinkToken();
  return (
    <LinkPreview<InvitationPreview> path="/invitations/preview" token={token} title="Invitation">
      {preview => <Invitation token={token} preview={preview} />}
    </LinkPreview>
  );
}

interface Props {
  readonly token: string;
  readonly preview: InvitationPreview;
}

function Invitation({ token, preview }: Props) {
  const session = useSession();
  // Who sets up a second factor has backup codes to save before going on.
  const [enrolling, setEnrolling] = useState(false);
  const end = () => setEnrolling(false);
  if (enrolling) return <Enrolment onDone={end} onLeave={end} />;
  const isInvited = session.person?.email.toLowerCase() === preview.email.toLowerCase();
  return (
    <Entrance
      title={`Join ${preview.organization_name}`}
      description={invitationSentence(preview, preview.email)}
    >
      {session.state === 'signed_in' && isInvited && (
        <Answer
          token={token}
          preview={preview}
          onEnrol={needsSecondFactor(session, preview.role) ? () => setEnrolling(true) : undefined}
        />
      )}
      {session.state === 'signed_in' && !isInvited && <OtherAccount email={preview.email} />}
      {session.state !== 'signed_in' &&
        (preview.has_account || session.person ? (
          <SignInFirst token={token} email={preview.email} />
        ) : (
          <NewAccount token={token} preview={preview} />
        ))}
    </Entrance>
  );
}

function Answer({ token, preview, onEnrol }: Props & { readonly onEnrol: (() => void) | undefined }) {
  const { person } = useSession();
  const navigate = useNavigate();
  const accept = useSessionMutation<{ token: string }>('/invitations/accept');
  const decline = useSessionMutation<{ token: string }>('/invitations/decline');
  const signOut = useSignOut();
  const home = () => void navigate(paths.home, { replace: true });
  return (
    <Stack>
      <Text>You are signed in as {person?.email}.</Text>
      {onEnrol && <Text>This role needs a second factor. Set one up to accept the invitation.</Text>}
      <FormError error={accept.error ?? decline.error} />
      {onEnrol ? (
        <Button onClick={onEnrol}>Set up a second factor</Button>
      ) : (
        <Button loading={accept.isPending} onClick={() => accept.mutate({ token }, { onSuccess: home })}>
          Join {preview.organization_name}
        </Button>
      )}
      <Button
        variant="default"
        loading={decline.isPending}
        onClick={() => decline.mutate({ token }, { onSuccess: home })}
      >
        Decline
      </Button>
      <QuietButton onClick={() => signOut.mutate()}>Use a different account</QuietButton>
    </Stack>
  );
}

/** The invitation is for somebody else than is signed in: it binds to neither. */
function OtherAccount({ email }: { readonly email: string }) {
  const { person } = useSession();
  const signOut = useSignOut();
  return (
    <Stack>
      <Text>
        You are signed in as {person?.email}. Sign out, then accept the invitation as {email}.
      </Text>
      <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
      <Button variant="default" component={Link} to={paths.home}>
        Stay signed in
      </Button>
    </Stack>
  );
}

function SignInFirst({ token, email }: { readonly token: string; readonly email: string }) {
  return (
    <Stack>
      <Text>{email} has an account. Sign in to it to accept the invitation.</Text>
      {/* In the fragment, since a query is in access logs and in the Referer of later requests. */}
      <Button
        component={Link}
        to={{
          pathname: paths.signIn,
          search: queryString({ next: paths.invitation }),
          hash: `#token=${token}`,
        }}
      >
        Sign in
      </Button>
    </Stack>
  );
}

function NewAccount({ token, preview }: Props) {
  const navigate = useNavigate();
  const create = useSessionMutation<object>('/invitations/account');
  const accept = useSessionMutation<{ token: string }>('/invitations/accept');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isMember = preview.role === 'member';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await create.mutateAsync({ token, name, password });
    // Other roles take a second factor before there is anything to accept.
    if (!isMember) return;
    await accept.mutateAsync({ token });
    void navigate(paths.home, { replace: true });
  };
  return (
    // What failed is shown by the form.
    <form onSubmit={event => void submit(event).catch(() => {})}>
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
          error={fieldError(create.error, 'name')}
          onChange={event => setName(event.currentTarget.value)}
        />
        <NewPassword
          value={password}
          onChange={setPassword}
          known={[preview.organization_name, preview.email, name]}
          error={fieldError(create.error, 'password')}
        />
        <FormError error={create.error ?? accept.error} />
        <Button type="submit" loading={create.isPending || accept.isPending} fullWidth>
          {isMember ? `Create account and join ${preview.organization_name}` : 'Create account'}
        </Button>
      </Stack>
    </form>
  );
}
