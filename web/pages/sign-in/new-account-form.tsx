import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationPreview } from '../../../src/contract/dashboard/session.ts';
import { useSessionMutation } from '../../api/session.ts';
import { Form } from '../../forms/form.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
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
  const name = useField('name');
  const [password, setPassword] = useState('');
  const isMember = preview.role === 'member';
  const submit = async () => {
    await create.mutateAsync({ token, name: name.value, password });
    // Other roles set up a second factor before they can accept.
    if (!isMember) return;
    await accept.mutateAsync({ token });
    void navigate(paths.home, { replace: true });
  };
  return (
    <Form
      submitLabel={isMember ? `Create account and join ${preview.organization_name}` : 'Create account'}
      mutation={{ error: create.error ?? accept.error, isPending: create.isPending || accept.isPending }}
      // The form shows what failed.
      onSubmit={() => void submit().catch(() => {})}
    >
      {/* Password managers store the password under it. */}
      <TextInput label="Email" type="email" autoComplete="username" value={preview.email} readOnly />
      <TextField
        label="Your name"
        autoComplete="name"
        required
        autoFocus
        maxLength={100}
        error={create.error}
        {...name}
      />
      <NewPassword
        value={password}
        onChange={setPassword}
        personal={[preview.organization_name, preview.email, name.value]}
        error={create.error}
      />
    </Form>
  );
}
