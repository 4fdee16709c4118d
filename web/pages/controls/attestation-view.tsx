import { Group, Stack, Text } from '@mantine/core';
import type { Attestation } from '../../../src/contract/dashboard/controls.ts';
import { useEvidenceUrls } from '../../api/evidence.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { type Status, StatusBadge } from '../../components/status-badge.tsx';
import classes from './controls.module.css';

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
export function AttestationView({ attestation }: { readonly attestation: Attestation }) {
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
