import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Attestation, ControlDetail } from '../../../src/contract/dashboard/controls.ts';
import { downloadSteppedUp } from '../../api/download.ts';
import { useEvidenceUrls } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { type Status, StatusBadge } from '../../components/status-badge.tsx';
import { AttestDialog } from './attest-dialog.tsx';
import classes from './controls.module.css';
import { LinkEvidenceDialog } from './link-evidence-dialog.tsx';
import { Part } from './part.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** What people state about the control: the newest counts, those before are its history. */
export function Attestations({ detail }: { readonly detail: ControlDetail }) {
  const { canOperate } = useOrganization();
  const [newest, ...older] = detail.attestations;
  const { citation } = detail.control;
  const [dialog, setDialog] = useState<'attest' | 'link' | 'withdraw'>();
  const [history, setHistory] = useState(false);
  const counts = newest?.state === 'current' || newest?.state === 'expired';
  return (
    <Part
      title="Attestation"
      actions={
        canOperate && (
          <Button size="xs" variant="default" onClick={() => setDialog('attest')}>
            {counts ? 'Renew attestation' : 'Attest this control'}
          </Button>
        )
      }
    >
      {newest ? (
        <One attestation={newest} />
      ) : (
        <Text c="dimmed" size="sm">
          Not attested. An attestation is a dated statement of what is in place, with evidence that proves it.
        </Text>
      )}
      {newest?.state === 'current' && canOperate && (
        <QuietButton onClick={() => setDialog('link')}>Link evidence</QuietButton>
      )}
      {counts && canOperate && (
        <QuietButton onClick={() => setDialog('withdraw')}>Withdraw this attestation</QuietButton>
      )}
      {older.length > 0 && (
        <QuietButton onClick={() => setHistory(!history)}>
          {history ? 'Hide earlier attestations' : `Show ${older.length} earlier`}
        </QuietButton>
      )}
      {history && older.map(attestation => <One key={attestation.id} attestation={attestation} />)}
      {dialog === 'attest' && <AttestDialog control={detail.control} onClose={() => setDialog(undefined)} />}
      {dialog === 'link' && newest && (
        <LinkEvidenceDialog citation={citation} id={newest.id} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'withdraw' && newest && (
        <WithdrawDialog citation={citation} id={newest.id} onClose={() => setDialog(undefined)} />
      )}
    </Part>
  );
}

const looks: Readonly<Record<Attestation['state'], readonly [Status, string, string]>> = {
  current: ['active', 'Current', 'Expires'],
  expired: ['expired', 'Expired', 'Expired'],
  withdrawn: ['revoked', 'Withdrawn', 'Valid until'],
  superseded: ['skipped', 'Superseded', 'Valid until'],
};

function One({ attestation }: { readonly attestation: Attestation }) {
  const [status, label, ends] = looks[attestation.state];
  const urls = useEvidenceUrls();
  return (
    <Stack gap="xs">
      {!attestation.applies && (
        <Text size="sm" fw={500}>
          States that this control does not apply:
        </Text>
      )}
      <blockquote className={classes.statement}>{attestation.statement}</blockquote>
      <Text size="sm" component="div">
        <StatusBadge status={status} label={label} /> {ends} <RelativeTime at={attestation.valid_until} />.{' '}
        {attestation.attested_by ?? 'Somebody'} attested it <RelativeTime at={attestation.attested_at} />.
      </Text>
      {attestation.evidence.length > 0 ? (
        <ul className={classes.list} aria-label="Evidence">
          {attestation.evidence.map(({ id, name, verdict }) => (
            <li key={id}>
              <Anchor href={urls.content(id)} download size="sm" onClick={downloadSteppedUp}>
                {name}
              </Anchor>
              {verdict && `, verdict: ${verdict}`}
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm">No evidence linked.</Text>
      )}
      {attestation.withdrawn_at && (
        <Text size="sm">
          {attestation.withdrawn_by ?? 'Somebody'} withdrew it <RelativeTime at={attestation.withdrawn_at} />:{' '}
          {attestation.withdrawal_reason}
        </Text>
      )}
    </Stack>
  );
}
