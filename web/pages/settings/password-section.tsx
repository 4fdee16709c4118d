import { Button, Modal, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChangePassword } from '../../api/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';

export function PasswordSection({ changedAt }: { readonly changedAt: string | null }) {
  const { person } = useSession();
  const [opened, setOpened] = useState(false);
  if (!person?.has_password) {
    return (
      <Section title="Password" description="You sign in with your provider: this account has no password." />
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
        <Button variant="default" onClick={() => setOpened(true)}>
          Change password
        </Button>
      }
    >
      <Modal opened={opened} onClose={() => setOpened(false)} title="Change password">
        <ChangePassword onDone={() => setOpened(false)} />
      </Modal>
    </Section>
  );
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useChangePassword();
  const wrong = change.error instanceof ApiError && change.error.code === 'password_wrong';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { current_password: current, password },
      {
        onSuccess: () => {
          succeed('Password changed. Every other session is ended.');
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          value={current}
          error={wrong ? change.error?.message : fieldError(change.error, 'current_password')}
          onChange={event => setCurrent(event.currentTarget.value)}
        />
        <NewPassword
          label="New password"
          value={password}
          onChange={setPassword}
          known={[person?.name ?? '', person?.email ?? '']}
          error={fieldError(change.error, 'password')}
        />
        {!wrong && <FormError error={change.error} />}
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
