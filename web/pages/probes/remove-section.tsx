import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { useRemoveProbe } from '../../api/probes.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** For a silent probe that no longer exists. */
export function RemoveSection({ probe: { id, name } }: { readonly probe: ProbeDetail }) {
  const to = useOrganizationPaths();
  const navigate = useNavigate();
  const remove = useRemoveProbe();
  const [confirming, setConfirming] = useState(false);
  return (
    <Section
      title="Remove"
      description="Removes the probe from the list, if it no longer exists. Findings, scans and events are kept."
    >
      <Button variant="default" onClick={() => setConfirming(true)}>
        Remove probe
      </Button>
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title={`Remove ${name}?`}
        confirmLabel="Remove probe"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(id);
          notify(`${name} removed`);
          navigate(to.section('probes'));
        }}
      >
        It is listed again if it reports again. Its sources stay without reports until another probe assesses
        them, or you disconnect them. Its key still works: revoke it under Settings if no other probe uses it.
      </ConfirmDialog>
    </Section>
  );
}
