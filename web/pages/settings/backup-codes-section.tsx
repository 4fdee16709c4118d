import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useRenewBackupCodes } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { Dialog } from '../../later/dialog.tsx';

export function BackupCodesSection({ left }: { readonly left: number }) {
  const { second_factors: factors } = useSession();
  const [confirming, setConfirming] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useRenewBackupCodes();
  // Backup codes come with the first second factor.
  if (!factors.totp && factors.passkeys === 0) return null;
  return (
    <Section
      title="Backup codes"
      description={
        <>
          <Text span fw={600} c={left < 3 ? 'var(--severity-high)' : 'inherit'}>
            {left} of 10 left.
          </Text>{' '}
          If you lose your second factor, each code signs you in once.
        </>
      }
      actions={
        <Button variant="default" onClick={() => setConfirming(true)}>
          Generate new codes
        </Button>
      }
    >
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="Generate new backup codes?"
        confirmLabel="Generate new codes"
        onConfirm={async () => setCodes((await renew.mutateAsync()).backup_codes)}
      >
        Your current codes stop working.
      </ConfirmDialog>
      <Dialog
        opened={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title="Save your backup codes"
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {codes && <BackupCodes codes={codes} onSaved={() => setCodes(undefined)} />}
      </Dialog>
    </Section>
  );
}
