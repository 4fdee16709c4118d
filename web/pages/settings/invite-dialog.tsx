import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useInvite } from '../../api/people.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Form } from '../../forms/form.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { Dialog } from '../../later/dialog.tsx';
import { RoleChoice } from './role-choice.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates an invitation link, which is shown once, to be sent by the person. */
export function InviteDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Invite people">
      <Invite onDone={onClose} />
    </Dialog>
  );
}

function Invite({ onDone }: { readonly onDone: () => void }) {
  const invite = useInvite();
  const email = useField('email');
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
  return (
    <Form
      submitLabel="Create invitation link"
      mutation={invite}
      onSubmit={() => invite.mutate({ email: email.value.trim(), role })}
    >
      <TextField
        label="Email"
        description="They sign in with this address. You send them the link yourself."
        type="email"
        required
        data-autofocus
        maxLength={254}
        error={invite.error}
        {...email}
      />
      <RoleChoice value={role} onChange={setRole} />
    </Form>
  );
}
