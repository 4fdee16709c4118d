import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { InvitationPreview } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation, useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { paths, queryString } from '../../paths.ts';
import { Enrollment } from './enrollment.tsx';
import { Entrance } from './entrance.tsx';
import { invitationText, needsSecondFactor } from './invitation-text.ts';
import { LinkPreview } from './link-preview.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Joins an organization by a link, after signing in or creating an account. */
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
  // Kept here, since the session counts as enrolled before the backup codes are saved.
  const [enrolling, setEnrolling] = useState(false);
  const end = () => setEnrolling(false);
  if (enrolling) return <Enrollment onDone={end} onSignedOut={end} />;
  const isInvitee = session.person?.email.toLowerCase() === preview.email.toLowerCase();
  return (
    <Entrance
      title={`Join ${preview.organization_name}`}
      description={invitationText(preview, preview.email)}
    >
      {session.state === 'signed_in' && isInvitee && (
        <AcceptOrDecline
          token={token}
          preview={preview}
          onEnroll={needsSecondFactor(session, preview.role) ? () => setEnrolling(true) : undefined}
        />
      )}
      {session.state === 'signed_in' && !isInvitee && <OtherAccount email={preview.email} />}
      {session.state !== 'signed_in' &&
        (preview.has_account || session.person ? (
          <SignInFirst token={token} email={preview.email} />
        ) : (
          <NewAccountForm token={token} preview={preview} />
        ))}
    </Entrance>
  );
}

function AcceptOrDecline({
  token,
  preview,
  onEnroll,
}: Props & { readonly onEnroll: (() => void) | undefined }) {
  const { person } = useSession();
  const navigate = useNavigate();
  const accept = useSessionMutation<{ token: string }>('/invitations/accept');
  const decline = useSessionMutation<{ token: string }>('/invitations/decline');
  const signOut = useSignOut();
  const goHome = () => void navigate(paths.home, { replace: true });
  return (
    <Stack>
      <Text>You're signed in as {person?.email}.</Text>
      {onEnroll && <Text>This role requires a second factor. Set one up to accept the invitation.</Text>}
      <FormError error={accept.error ?? decline.error} />
      {onEnroll ? (
        <Button onClick={onEnroll}>Set up a second factor</Button>
      ) : (
        <Button loading={accept.isPending} onClick={() => accept.mutate({ token }, { onSuccess: goHome })}>
          Join {preview.organization_name}
        </Button>
      )}
      <Button
        variant="default"
        loading={decline.isPending}
        onClick={() => decline.mutate({ token }, { onSuccess: goHome })}
      >
        Decline
      </Button>
      <QuietButton onClick={() => signOut.mutate()}>Use a different account</QuietButton>
    </Stack>
  );
}

/** The signed-in person is not the one who was invited. */
function OtherAccount({ email }: { readonly email: string }) {
  const { person } = useSession();
  const signOut = useSignOut();
  return (
    <Stack>
      <Text>
        You're signed in as {person?.email}. Sign out to accept the invitation as {email}.
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
      <Text>{email} has an account. Sign in to accept the invitation.</Text>
      {/* In the fragment, since queries end up in access logs and in the Referer of later requests. */}
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
