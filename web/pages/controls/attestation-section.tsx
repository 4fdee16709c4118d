import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Attestation, ControlDetail } from '../../../src/contract/dashboard/controls.ts';
import { useEvidenceUrls } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DownloadLink } from '../../components/download-link.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { type Status, StatusBadge } from '../../components/status-badge.tsx';
import { laterPart } from '../../later/later.ts';
import classes from './controls.module.css';
import { Earlier } from './earlier.tsx';

const AttestDialog = laterPart(() => import('./attest-dialog.tsx'));
const LinkEvidenceDialog = laterPart(() => import('./link-evidence-dialog.tsx'));
const WithdrawDialog = laterPart(() => import('./withdraw-dialog.tsx'));

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

interface Badge {
  readonly status: Status;
  readonly label: string;
  /** Precedes the date until which it is or was valid. */
  readonly until: string;
}

const badges: Readonly<Record<Attestation['state'], Badge>> = {
  current: { status: 'active', label: 'Current', until: 'Expires' },
  expired: { status: 'expired', label: 'Expired', until: 'Expired' },
  withdrawn: { status: 'revoked', label: 'Withdrawn', until: 'Valid until' },
  superseded: { status: 'skipped', label: 'Superseded', until: 'Valid until' },
};

/** One attestation with its evidence. */
function AttestationView({ attestation }: { readonly attestation: Attestation }) {
  const { status, label, until } = badges[attestation.state];
  const urls = useEvidenceUrls();
  return (
    <Stack gap="xs">
      {!attestation.applies && (
        <Text size="sm" fw={500}>
          States that this control doesn't apply:
        </Text>
      )}
      <blockquote className={classes.statement}>{attestation.statement}</blockquote>
      <Group gap="sm">
        <StatusBadge status={status} label={label} />
        <Text size="sm">
          {until} <RelativeTime at={attestation.valid_until} />. Attested by{' '}
          {attestation.attested_by ?? 'someone'} <RelativeTime at={attestation.attested_at} />.
        </Text>
      </Group>
      {attestation.evidence.length > 0 ? (
        <ul className={classes.list} aria-label="Evidence">
          {attestation.evidence.map(({ id, name, verdict }) => (
            <li key={id}>
              <DownloadLink href={urls.content(id)}>{name}</DownloadLink>
              {verdict && `, verdict: ${verdict}`}
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm">No evidence linked.</Text>
      )}
      {attestation.withdrawn_at && (
        <Text size="sm">
          Withdrawn by {attestation.withdrawn_by ?? 'someone'} <RelativeTime at={attestation.withdrawn_at} />:{' '}
          {attestation.withdrawal_reason}
        </Text>
      )}
    </Stack>
  );
}
