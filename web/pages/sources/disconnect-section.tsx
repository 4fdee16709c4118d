import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useDisconnect } from '../../api/sources.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';

export function DisconnectSection({ source }: { readonly source: SourceDetail }) {
  const disconnect = useDisconnect();
  const [confirming, setConfirming] = useState(false);
  const isProbe = source.connection_mode === 'probe';
  return (
    <Section
      title="Disconnect"
      description={
        isProbe
          ? 'Ignores further reports of probes on this source. Findings and history are kept.'
          : 'Stops all requests to this source and deletes its credential and authorization. Findings and history are kept.'
      }
    >
      <Button variant="default" onClick={() => setConfirming(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title={`Disconnect ${source.name}?`}
        confirmLabel="Disconnect source"
        danger
        onConfirm={() => disconnect.mutateAsync({ id: source.id })}
      >
        {isProbe
          ? "This deletes its scan authorization. It can't be undone. Remove the target from the configuration of the probe as well."
          : "This deletes its credential, scan authorization, Watch schedule and domain proof. It can't be undone."}{' '}
        To scan the host again, add it as a new source.
      </ConfirmDialog>
    </Section>
  );
}
