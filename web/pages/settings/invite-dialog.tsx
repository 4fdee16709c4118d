import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useInvite } from '../../api/people.ts';
import { SecretField } from '../../components/secret-field.tsx';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { RoleChoice } from './role-choice.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a link that somebody joins by. It is shown once, to be handed over: no mail is sent. */
export function InviteDialog({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite somebody">
      <Invite onDone={onClose} />
    </Modal>
  );
}

function Invite({ onDone }: { readonly onDone: () => void }) {
  const invite = useInvite();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  if (invite.data) {
    return (
      <Stack>
        <Text>
          Give this link to {invite.data.invitation.email}. It works once, and is not shown again: if it gets
          lost, revoke the invitation and make another.
        </Text>
        <SecretField label="Invitation link" value={invite.data.url} />
        <Alert variant="light">
          Whoever opens the link first joins. Send it over a way that only they read.
        </Alert>
        <Button onClick={onDone}>Done</Button>
      </Stack>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email: email.trim(), role });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          description="What they sign in with. Nothing is sent to it."
          type="email"
          required
          data-autofocus
          maxLength={254}
          value={email}
          error={fieldError(invite.error, 'email')}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <RoleChoice value={role} onChange={setRole} />
        <FormError error={invite.error} />
        <Button type="submit" loading={invite.isPending}>
          Make an invitation link
        </Button>
      </Stack>
    </form>
  );
}
