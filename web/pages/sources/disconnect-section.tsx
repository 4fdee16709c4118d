import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useDisconnect } from '../../api/sources.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';

export function DisconnectSection({ source }: { readonly source: SourceDetail }) {
  const disconnect = useDisconnect();
  const [asking, setAsking] = useState(false);
  return (
    <Section
      title="Disconnect"
      description="Nothing is sent to it any more. Its credential and authorization are erased; its findings and history stay."
    >
      <Button variant="default" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Disconnect ${source.name}?`}
        confirmLabel="Disconnect source"
        danger
        onConfirm={() => disconnect.mutateAsync({ id: source.id })}
      >
        Its credential, its authorization, Watch and the proof of its domain are erased for good. To look at
        the host again, add it as a new source.
      </ConfirmDialog>
    </Section>
  );
}
