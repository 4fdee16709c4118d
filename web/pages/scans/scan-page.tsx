import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { useInvalidate } from '../../api/organization-mutation.ts';
import { useScan, useStopScan } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded, TableSkeleton } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { KeepScanButton } from '../evidence/keep-scan-button.tsx';
import { RunsTable } from './runs-table.tsx';
import { profileLabels, tookSeconds } from './words.ts';

export default function ScanPage() {
  const { scanId = '' } = useParams();
  const scan = useScan(scanId);
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const stop = useStopScan();
  const [stopping, setStopping] = useState(false);
  useForgetWhatItChanged(scan.data);
  const under = scan.data && !scan.data.finished_at;
  return (
    <>
      <PageHeader
        title={scan.data ? `${profileLabels[scan.data.profile]} of ${scan.data.target.name}` : 'Scan'}
        back={{ to: to.section('scans'), label: 'Scans' }}
        actions={
          canOperate && (
            <>
              {under && (
                <Button
                  variant="default"
                  leftSection={<IconPlayerStop size={16} aria-hidden />}
                  onClick={() => setStopping(true)}
                >
                  Stop the scan
                </Button>
              )}
              {scan.data?.finished_at && <KeepScanButton scanId={scanId} />}
            </>
          )
        }
      />
      <Loaded
        query={scan}
        skeleton={
          <Stack>
            <CardSkeleton height={150} />
            <TableSkeleton rows={12} />
          </Stack>
        }
      >
        {data => (
          <Stack>
            <Summary scan={data} />
            <RunsTable runs={data.runs} />
            <LoadMore query={scan} />
          </Stack>
        )}
      </Loaded>
      <ConfirmDialog
        opened={stopping}
        onClose={() => setStopping(false)}
        title="Stop this scan?"
        confirmLabel="Stop scan"
        danger
        onConfirm={() => stop.mutateAsync(scanId)}
      >
        It lets go of its target within seconds. What it has found stays; what it has not looked at stays
        unknown.
      </ConfirmDialog>
    </>
  );
}

function Summary({ scan }: { readonly scan: ScanDetail }) {
  const to = useOrganizationPaths();
  const findings =
    scan.target.kind === 'source' ? { source_id: scan.target.id } : { system_id: scan.target.id };
  return (
    <Section title="Outcome">
      <Stack gap="sm">
        <Group gap="lg" aria-live="polite">
          <StatusBadge status={scan.status} />
          {scan.verdict && (
            <Group gap="xs">
              <Text span size="sm" c="dimmed">
                Verdict
              </Text>
              <StatusBadge status={scan.verdict} />
            </Group>
          )}
          <Text size="sm" c="dimmed">
            Asked for <RelativeTime at={scan.created_at} />
            {scan.finished_at ? `, took ${tookSeconds(scan)}` : ''}
          </Text>
        </Group>
        {scan.finished_at ? (
          <Text>
            {scan.meaning}{' '}
            {scan.finding_id ? (
              <Anchor
                component={Link}
                underline="always"
                to={to.section('findings', { status: 'any', finding: scan.finding_id })}
              >
                The finding
              </Anchor>
            ) : (
              <Anchor component={Link} underline="always" to={to.section('findings', findings)}>
                Its open findings
              </Anchor>
            )}
          </Text>
        ) : (
          <ScanProgress scan={scan} />
        )}
        {scan.finished_at && scan.runs_planned === 0 && (
          <Alert color="yellow" variant="light" title="Nothing was planned">
            No source of the target was authorized when the scan began.
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

/** When a scan that somebody watches ends, lists of before are old. */
function useForgetWhatItChanged(scan: ScanDetail | undefined): void {
  const invalidate = useInvalidate();
  const wasRunning = useRef(false);
  useEffect(() => {
    if (!scan) return;
    if (wasRunning.current && scan.finished_at) invalidate('findings', 'overview', 'sources', 'systems');
    wasRunning.current = !scan.finished_at;
  }, [scan, invalidate]);
}
