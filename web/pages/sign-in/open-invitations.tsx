import { Button, Card, Group, Stack, Text } from '@mantine/core';
import type { OpenInvitation } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { invitationText, needsSecondFactor } from './invitation-text.ts';

interface Props {
  /** Called for a role that requires a second factor, if the person has none. */
  readonly onEnroll: (invitation: OpenInvitation) => void;
  readonly onAccepted: () => void;
}

/** Invitations to the person's verified email address. */
export function OpenInvitations({ onEnroll, onAccepted }: Props) {
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
