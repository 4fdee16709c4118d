import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import type { OpenInvitation } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { SignedIn } from '../../layout/signed-in.tsx';
import { paths } from '../../paths.ts';
import { Enrollment } from './enrollment.tsx';
import { Entrance } from './entrance.tsx';
import { invitationText, needsSecondFactor } from './invitation-text.ts';

/** Lists the person's open invitations after sign-in. */
export default function InvitationsPage() {
  return (
    <SignedIn>
      <Invitations />
    </SignedIn>
  );
}

function Invitations() {
  const { person, invitations } = useSession();
  const navigate = useNavigate();
  const [enrolling, setEnrolling] = useState(false);
  const goHome = () => void navigate(paths.home, { replace: true });
  const end = () => setEnrolling(false);
  if (enrolling) return <Enrollment onDone={end} onSignedOut={end} />;
  if (invitations.length === 0) return <Navigate to={paths.home} replace />;
  return (
    <Entrance title="Invitations" description={`For ${person?.email}`}>
      <OpenInvitations onEnroll={() => setEnrolling(true)} onAccepted={goHome} />
      <QuietButton mt="lg" onClick={() => void navigate(`${paths.home}?later`, { replace: true })}>
        Not now
      </QuietButton>
    </Entrance>
  );
}

interface OpenInvitationsProps {
  /** Called for a role that requires a second factor, if the person has none. */
  readonly onEnroll: (invitation: OpenInvitation) => void;
  readonly onAccepted: () => void;
}

/** Invitations to the person's verified email address. */
function OpenInvitations({ onEnroll, onAccepted }: OpenInvitationsProps) {
  const session = useSession();
  return (
    <Stack component="ul" p={0} m={0} aria-label="Invitations" style={{ listStyle: 'none' }}>
      {session.invitations.map(invitation => (
        <li key={invitation.id}>
          <Invitation
            invitation={invitation}
            onEnroll={needsSecondFactor(session, invitation.role) ? () => onEnroll(invitation) : undefined}
            onAccepted={onAccepted}
          />
        </li>
      ))}
    </Stack>
  );
}

interface InvitationProps {
  readonly invitation: OpenInvitation;
  readonly onEnroll: (() => void) | undefined;
  readonly onAccepted: () => void;
}

function Invitation({ invitation, onEnroll, onAccepted }: InvitationProps) {
  const accept = useSessionMutation<{ id: string }>('/invitations/accept');
  const decline = useSessionMutation<{ id: string }>('/invitations/decline');
  const { id, organization_name } = invitation;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <div>
          <Text fw={600}>{organization_name}</Text>
          <Dimmed>{invitationText(invitation, 'you')}</Dimmed>
        </div>
        <FormError error={accept.error ?? decline.error} />
        <Group gap="xs">
          <Button
            loading={accept.isPending}
            onClick={() => (onEnroll ? onEnroll() : accept.mutate({ id }, { onSuccess: onAccepted }))}
          >
            Accept
          </Button>
          <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate({ id })}>
            Decline
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
