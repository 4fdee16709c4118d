import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useRemoveTotp } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';

const EnrolDialog = lazy(() => import('./enrol-dialog.tsx'));

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
            Set up <RelativeTime at={setUpAt} />. Six digits that change every 30 seconds.
          </>
        ) : (
          'Not set up. An app shows six digits that change every 30 seconds.'
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
            {setUpAt ? 'Set up another app' : 'Set up'}
          </Button>
        </>
      }
    >
      {dialog === 'set-up' && (
        <Suspense>
          <EnrolDialog kind="totp" onClose={close} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        title="Remove the authenticator app?"
        confirmLabel="Remove the app"
        danger
        onConfirm={() => remove.mutateAsync()}
      >
        Its codes no longer open your account.
      </ConfirmDialog>
    </Section>
  );
}
