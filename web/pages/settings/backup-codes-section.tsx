import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useRenewBackupCodes } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';

export function BackupCodesSection({ left }: { readonly left: number }) {
  const { second_factors: factors } = useSession();
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useRenewBackupCodes();
  // Codes stand in for a factor: they come with the first one.
  if (!factors.totp && factors.passkeys === 0) return null;
  return (
    <Section
      title="Backup codes"
      description={
        <>
          <Text span fw={600} c={left < 3 ? 'var(--severity-high)' : 'inherit'}>
            {left} of 10 left.
          </Text>{' '}
          Each opens your account once, when you have no other second factor at hand.
        </>
      }
      actions={
        <Button variant="default" onClick={() => setAsking(true)}>
          Make new codes
        </Button>
      }
    >
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Make new backup codes?"
        confirmLabel="Make new codes"
        onConfirm={async () => setCodes((await renew.mutateAsync()).backup_codes)}
      >
        The codes that you have now stop working.
      </ConfirmDialog>
      <Modal
        opened={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title="Keep your backup codes"
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {codes && <BackupCodes codes={codes} onKept={() => setCodes(undefined)} />}
      </Modal>
    </Section>
  );
}
