import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useInvite } from '../../api/people.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { RoleChoice } from './role-choice.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates an invitation link, which is shown once: Parapet sends no email. */
export function InviteDialog({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite people">
      <Invite onDone={onClose} />
    </Modal>
  );
}

function Invite({ onDone }: { readonly onDone: () => void }) {
  const invite = useInvite();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  if (invite.data) {
    const { invitation, url } = invite.data;
    return (
      <Stack>
        <Text>
          Send this link to {invitation.email}. It works once and isn't shown again. If it gets lost, revoke
          the invitation and create another.
        </Text>
        <CopyField label="Invitation link" value={url} />
        <Alert variant="light">
          The first person to open the link can join. Send it through a private channel.
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
        <TextField
          label="Email"
          description="They sign in with this address. Parapet sends no email."
          type="email"
          required
          data-autofocus
          maxLength={254}
          value={email}
          path="email"
          error={invite.error}
          onChange={setEmail}
        />
        <RoleChoice value={role} onChange={setRole} />
        <FormError error={invite.error} />
        <Button type="submit" loading={invite.isPending}>
          Create invitation link
        </Button>
      </Stack>
    </form>
  );
}
