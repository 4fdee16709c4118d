import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ControlDetail } from '../../../src/contract/dashboard/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { AttestDialog } from './attest-dialog.tsx';
import { AttestationView } from './attestation-view.tsx';
import { Earlier } from './earlier.tsx';
import { LinkEvidenceDialog } from './link-evidence-dialog.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** The latest attestation of a control, and the earlier ones. */
export function AttestationSection({ detail }: { readonly detail: ControlDetail }) {
  const { canOperate } = useOrganization();
  const [latest, ...earlier] = detail.attestations;
  const { citation } = detail.control;
  const [dialog, setDialog] = useState<'attest' | 'link' | 'withdraw'>();
  const close = () => setDialog(undefined);
  const isCurrent = latest?.state === 'current';
  const canWithdraw = isCurrent || latest?.state === 'expired';
  return (
    <DrawerSection
      title="Attestation"
      actions={
        canOperate && (
          <Button size="xs" variant="default" onClick={() => setDialog('attest')}>
            {canWithdraw ? 'Renew attestation' : 'Attest control'}
          </Button>
        )
      }
    >
      {latest ? (
        <AttestationView attestation={latest} />
      ) : (
        <Dimmed>
          Not attested. An attestation is a dated statement of what is in place, with evidence that proves it.
        </Dimmed>
      )}
      {isCurrent && canOperate && <QuietButton onClick={() => setDialog('link')}>Link evidence</QuietButton>}
      {canWithdraw && canOperate && (
        <QuietButton onClick={() => setDialog('withdraw')}>Withdraw attestation</QuietButton>
      )}
      <Earlier what="attestation" count={earlier.length}>
        {earlier.map(attestation => (
          <AttestationView key={attestation.id} attestation={attestation} />
        ))}
      </Earlier>
      {dialog === 'attest' && <AttestDialog control={detail.control} onClose={close} />}
      {dialog === 'link' && latest && (
        <LinkEvidenceDialog citation={citation} id={latest.id} onClose={close} />
      )}
      {dialog === 'withdraw' && latest && (
        <WithdrawDialog citation={citation} id={latest.id} onClose={close} />
      )}
    </DrawerSection>
  );
}
