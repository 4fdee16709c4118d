import { Button } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { useState } from 'react';
import { useTakeSnapshot } from '../../api/evidence.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { succeed } from '../../components/succeed.ts';

/** Takes a snapshot of a scan that has ended. */
export function KeepScanButton({ scanId }: { readonly scanId: string }) {
  const [asking, setAsking] = useState(false);
  const take = useTakeSnapshot();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileCertificate size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Keep as evidence
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Keep this scan as evidence?"
        confirmLabel="Keep as evidence"
        onConfirm={async () => {
          const { evidence } = await take.mutateAsync({ kind: 'scan', scan_id: scanId });
          succeed(`${evidence.name} is kept as evidence`);
        }}
      >
        A snapshot keeps its runs, and what is unresolved on its sources now, with its time and SHA-256.
        Nobody can change it, or delete it for six years.
      </ConfirmDialog>
    </>
  );
}
