import { Button } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { useState } from 'react';
import { useTakeSnapshot } from '../../api/evidence.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/notify.ts';

/** Takes a snapshot of a finished scan. */
export function SaveScanButton({ scanId }: { readonly scanId: string }) {
  const [confirming, setConfirming] = useState(false);
  const take = useTakeSnapshot();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileCertificate size={16} aria-hidden />}
        onClick={() => setConfirming(true)}
      >
        Save as evidence
      </Button>
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="Save this scan as evidence?"
        confirmLabel="Save as evidence"
        onConfirm={async () => {
          const { evidence } = await take.mutateAsync({ kind: 'scan', scan_id: scanId });
          notify(`${evidence.name} saved as evidence`);
        }}
      >
        Saves the scan's runs and the unresolved findings of its sources, with the time and a SHA-256 hash.
        The snapshot can't be changed, and can't be deleted for six years.
      </ConfirmDialog>
    </>
  );
}
