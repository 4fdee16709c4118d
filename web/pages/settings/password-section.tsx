import { Button } from '@mantine/core';
import { useState } from 'react';
import { useChangePassword } from '../../api/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { CurrentPassword } from '../../forms/current-password.tsx';
import { fieldError } from '../../forms/error-messages.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { NewPassword } from '../../forms/new-password.tsx';

export function PasswordSection({ changedAt }: { readonly changedAt: string | null }) {
  const { person } = useSession();
  const [changing, setChanging] = useState(false);
  if (!person?.has_password) {
    return (
      <Section title="Password" description="You sign in with your provider. This account has no password." />
    );
  }
  return (
    <Section
      title="Password"
      description={
        changedAt ? (
          <>
            Changed <RelativeTime at={changedAt} />
          </>
        ) : (
          'Never changed'
        )
      }
      actions={
        <Button variant="default" onClick={() => setChanging(true)}>
          Change password
        </Button>
      }
    >
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </Section>
  );
}

function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useChangePassword();
  const isWrong = change.error instanceof ApiError && change.error.code === 'password_wrong';
  return (
    <FormDialog
      title="Change password"
      submitLabel="Change password"
      // The field of the current password shows that it was wrong.
      mutation={{ isPending: change.isPending, error: isWrong ? null : change.error }}
      onSubmit={options => change.mutate({ current_password: current, password }, options)}
      done="Password changed. All other sessions were ended."
      onClose={onClose}
    >
      <CurrentPassword
        label="Current password"
        value={current}
        error={isWrong ? 'Incorrect password' : fieldError(change.error, 'current_password')}
        onChange={setCurrent}
      />
      <NewPassword
        label="New password"
        value={password}
        onChange={setPassword}
        personal={[person?.name ?? '', person?.email ?? '']}
        error={change.error}
      />
    </FormDialog>
  );
}
