import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

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
