import { Button, Group, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useStartScan } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { BigScore } from '../../components/score.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityTiles } from '../../components/severity-counts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** The score of the source, its open findings and its last scan. */
export function PostureSection({ source }: { readonly source: SourceDetail }) {
  const to = useOrganizationPaths();
  const navigate = useNavigate();
  const { canOperate } = useOrganization();
  const start = useStartScan();
  const canScan = canOperate && source.scan_authorized_at && source.connection_mode === 'direct';
  return (
    <Section
      title="Posture"
      actions={
        <>
          <TextLink to={to.section('scans', { source_id: source.id })}>All scans</TextLink>
          {canScan && (
            <Button
              size="xs"
              leftSection={<IconPlayerPlay size={14} aria-hidden />}
              loading={start.isPending}
              onClick={() =>
                start.mutate(
                  { source_id: source.id },
                  { onSuccess: ({ scan }) => navigate(to.object('scans', scan.id)) },
                )
              }
            >
              Run scan
            </Button>
          )}
        </>
      }
    >
      <Stack gap="md">
        <FormError error={start.error} />
        <BigScore score={source.score} />
        {source.score !== null && (
          <SeverityTiles
            open={source.open}
            href={severity => to.section('findings', { source_id: source.id, severity })}
          />
        )}
        {source.last_scan && <LastScan scan={source.last_scan} />}
      </Stack>
    </Section>
  );
}

function LastScan({ scan }: { readonly scan: NonNullable<SourceDetail['last_scan']> }) {
  const to = useOrganizationPaths();
  return (
    <Group gap="md">
      <TextLink to={to.object('scans', scan.id)} display="inline-block" py={4}>
        Last scan
      </TextLink>
      {scan.finished_at ? (
        <>
          <StatusBadge status={(scan.status === 'completed' && scan.verdict) || scan.status} />
          <Dimmed>
            <RelativeTime at={scan.finished_at} />
          </Dimmed>
        </>
      ) : (
        <ScanProgress scan={scan} />
      )}
    </Group>
  );
}
