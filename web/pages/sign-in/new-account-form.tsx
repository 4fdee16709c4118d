import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationPreview } from '../../../src/contract/dashboard/session.ts';
import { useSessionMutation } from '../../api/session.ts';
import { FormError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { paths } from '../../paths.ts';

interface Props {
  readonly token: string;
  readonly preview: InvitationPreview;
}

/** Creates the account that an invitation is for. */
export function NewAccountForm({ token, preview }: Props) {
  const navigate = useNavigate();
  const create = useSessionMutation<object>('/invitations/account');
  const accept = useSessionMutation<{ token: string }>('/invitations/accept');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isMember = preview.role === 'member';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await create.mutateAsync({ token, name, password });
    // Other roles set up a second factor before they can accept.
    if (!isMember) return;
    await accept.mutateAsync({ token });
    void navigate(paths.home, { replace: true });
  };
  return (
    // The form shows what failed.
    <form onSubmit={event => void submit(event).catch(() => {})}>
      <Stack>
        {/* Password managers store the password under it. */}
        <TextInput label="Email" type="email" autoComplete="username" value={preview.email} readOnly />
        <TextField
          label="Your name"
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={name}
          path="name"
          error={create.error}
          onChange={setName}
        />
        <NewPassword
          value={password}
          onChange={setPassword}
          personal={[preview.organization_name, preview.email, name]}
          error={create.error}
        />
        <FormError error={create.error ?? accept.error} />
        <Button type="submit" loading={create.isPending || accept.isPending} fullWidth>
          {isMember ? `Create account and join ${preview.organization_name}` : 'Create account'}
        </Button>
      </Stack>
    </form>
  );
}
