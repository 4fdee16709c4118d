import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Static } from 'typebox';
import type { PasswordReset } from '../../../src/contract/dashboard/session.ts';
import { useSessionMutation } from '../../api/session.ts';
import { Form } from '../../forms/form.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { paths } from '../../paths.ts';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Sets a new password with a link from the operator. */
export default function PasswordResetPage() {
  const token = useLinkToken();
  return (
    <LinkPreview
      title="Reset password"
      description="This ends all open sessions of your account."
      path="/password-reset/preview"
      token={token}
    >
      {({ email }: Static<typeof PasswordReset>) => <ResetForm token={token} email={email} />}
    </LinkPreview>
  );
}

function ResetForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const reset = useSessionMutation<{ token: string; password: string }>('/password-reset');
  const [password, setPassword] = useState('');
  const submit = () =>
    reset.mutate({ token, password }, { onSuccess: () => void navigate(paths.signIn, { replace: true }) });
  return (
    <Form submitLabel="Set password" mutation={reset} onSubmit={submit}>
      <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
      <NewPassword
        label="New password"
        value={password}
        onChange={setPassword}
        personal={[email]}
        error={reset.error}
      />
    </Form>
  );
}
