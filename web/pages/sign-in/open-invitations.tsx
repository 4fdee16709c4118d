import { Button, Card, Group, Stack, Text } from '@mantine/core';
import type { OpenInvitation } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation } from '../../api/session.ts';
import { FormError } from '../../forms/form-error.tsx';
import { invitationSentence, needsSecondFactor } from './invitation-words.ts';

interface Props {
  /** An invitation to a role that asks for a second factor, which the person does not have. */
  readonly onEnrol: (invitation: OpenInvitation) => void;
  readonly onAccepted: () => void;
}

/** Invitations for the person's verified address, each to accept or to decline. */
export function OpenInvitations({ onEnrol, onAccepted }: Props) {
  const session = useSession();
  return (
    <Stack component="ul" p={0} m={0} aria-label="Invitations" style={{ listStyle: 'none' }}>
      {session.invitations.map(invitation => (
        <li key={invitation.id}>
          <Invitation
            invitation={invitation}
            onEnrol={needsSecondFactor(session, invitation.role) ? () => onEnrol(invitation) : undefined}
            onAccepted={onAccepted}
          />
        </li>
      ))}
    </Stack>
  );
}

interface InvitationProps {
  readonly invitation: OpenInvitation;
  readonly onEnrol: (() => void) | undefined;
  readonly onAccepted: () => void;
}

function Invitation({ invitation, onEnrol, onAccepted }: InvitationProps) {
  const accept = useSessionMutation<{ id: string }>('/invitations/accept');
  const decline = useSessionMutation<{ id: string }>('/invitations/decline');
  const { id, organization_name } = invitation;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <div>
          <Text fw={600}>{organization_name}</Text>
          <Text size="sm" c="dimmed">
            {invitationSentence(invitation, 'you')}
          </Text>
        </div>
        <FormError error={accept.error ?? decline.error} />
        <Group gap="xs">
          <Button
            loading={accept.isPending}
            onClick={() => (onEnrol ? onEnrol() : accept.mutate({ id }, { onSuccess: onAccepted }))}
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
