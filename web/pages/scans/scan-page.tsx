import { Button, Stack } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import type { ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { useInvalidate } from '../../api/organization-mutation.ts';
import { useScan, useStopScan } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded, TableSkeleton } from '../../components/loading.tsx';
import { Mono } from '../../components/mono.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { duration } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { SaveScanButton } from '../evidence/save-scan-button.tsx';
import { profileLabels } from './profile-labels.ts';
import { ScanChangesSection } from './scan-changes.tsx';
import { ScanResult } from './scan-result.tsx';

export default function ScanPage() {
  const { scanId = '' } = useParams();
  const scan = useScan(scanId);
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const stop = useStopScan();
  const [stopping, setStopping] = useState(false);
  useReloadWhenFinished(scan.data);
  const isRunning = scan.data && !scan.data.finished_at;
  return (
    <>
      <PageHeader
        title={scan.data ? `${profileLabels[scan.data.profile]} of ${scan.data.target.name}` : 'Scan'}
        back={{ to: to.section('scans'), label: 'Scans' }}
        actions={
          canOperate && (
            <>
              {isRunning && (
                <Button
                  variant="default"
                  leftSection={<IconPlayerStop size={16} aria-hidden />}
                  onClick={() => setStopping(true)}
                >
                  Stop scan
                </Button>
              )}
              {scan.data?.finished_at && <SaveScanButton scanId={scanId} />}
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
            <ScanResult scan={data} />
            <ScanChangesSection scan={data} />
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
        The scan stops within seconds. Findings so far are kept. The remaining checks are not assessed.
      </ConfirmDialog>
    </>
  );
}

/** Other pages reload what a scan changes, once it has finished while it was shown here. */
function useReloadWhenFinished(scan: ScanDetail | undefined): void {
  const invalidate = useInvalidate();
  const wasRunning = useRef(false);
  useEffect(() => {
    if (!scan) return;
    if (wasRunning.current && scan.finished_at) invalidate('findings', 'overview', 'sources', 'systems');
    wasRunning.current = !scan.finished_at;
  }, [scan, invalidate]);
}

type Run = ScanDetail['runs'][number];

/** One row per detector and source. */
function RunsTable({ runs }: { readonly runs: readonly Run[] }) {
  const to = useOrganizationPaths();
  const columns: Column<Run>[] = [
    { header: 'Detector', render: ({ detector }) => <Mono>{detector}</Mono> },
    {
      header: 'Source',
      render: ({ source }) => <TextLink to={to.object('sources', source.id)}>{source.name}</TextLink>,
    },
    {
      header: 'Status',
      render: ({ status, cause }) => (
        <Stack gap={0}>
          <StatusBadge status={status} />
          {cause && (
            <Dimmed size="xs" maw="44ch">
              {cause}
            </Dimmed>
          )}
        </Stack>
      ),
    },
    { header: 'Duration', align: 'right', render: run => <span className="tabular">{duration(run)}</span> },
  ];
  if (runs.length === 0) {
    return <EmptyState title="No runs yet">Runs appear here when a worker starts the scan.</EmptyState>;
  }
  return <DataTable caption="Runs" columns={columns} rows={runs} rowKey={run => run.id} />;
}
