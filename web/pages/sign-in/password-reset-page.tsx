import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Static } from 'typebox';
import type { PasswordReset } from '../../../src/contract/dashboard/session.ts';
import { useSessionMutation } from '../../api/session.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { paths } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** A new password, by a link that the operator has made. */
export default function PasswordResetPage() {
  const token = useLinkToken();
  return (
    <LinkPreview<Static<typeof PasswordReset>>
      path="/password-reset/preview"
      token={token}
      title="New password"
    >
      {({ email }) => (
        <Entrance title="New password" description="Every session that is open is ended.">
          <ResetForm token={token} email={email} />
        </Entrance>
      )}
    </LinkPreview>
  );
}

function ResetForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const act = useSessionMutation<{ token: string; password: string }>('/password-reset');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ token, password }, { onSuccess: () => void navigate(paths.signIn, { replace: true }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput label="E-mail address" type="email" autoComplete="username" value={email} readOnly />
        <NewPassword
          label="New password"
          value={password}
          onChange={setPassword}
          known={[email]}
          error={fieldError(act.error, 'password')}
        />
        <FormError error={act.error} />
        <Button type="submit" loading={act.isPending} fullWidth>
          Set this password
        </Button>
      </Stack>
    </form>
  );
}
