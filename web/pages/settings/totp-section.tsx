import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useRemoveTotp } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';

const EnrollDialog = lazy(() => import('./enroll-dialog.tsx'));

export function TotpSection({ setUpAt }: { readonly setUpAt: string | null }) {
  const [dialog, setDialog] = useState<'set-up' | 'remove'>();
  const remove = useRemoveTotp();
  const close = () => setDialog(undefined);
  return (
    <Section
      title="Authenticator app"
      description={
        setUpAt ? (
          <>
            Set up <RelativeTime at={setUpAt} />. The app shows a new 6-digit code every 30 seconds.
          </>
        ) : (
          'Not set up. The app shows a new 6-digit code every 30 seconds.'
        )
      }
      actions={
        <>
          {setUpAt && (
            <Button variant="default" onClick={() => setDialog('remove')}>
              Remove
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog('set-up')}>
            {setUpAt ? 'Replace' : 'Set up'}
          </Button>
        </>
      }
    >
      {dialog === 'set-up' && (
        <Suspense>
          <EnrollDialog kind="totp" onClose={close} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        title="Remove authenticator app?"
        confirmLabel="Remove app"
        danger
        onConfirm={() => remove.mutateAsync()}
      >
        Its codes no longer sign you in.
      </ConfirmDialog>
    </Section>
  );
}
