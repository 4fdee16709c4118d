import { Stack, Text } from '@mantine/core';
import type { ScanRow } from '../../../src/contract/dashboard/scans.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { profileLabels, tookSeconds } from './words.ts';

const columns: readonly Column<ScanRow>[] = [
  {
    key: 'target',
    header: 'Scan of',
    render: ({ target, profile }) => (
      <Stack gap={0} component="span">
        <span>{target.name}</span>
        <Text span size="xs" c="dimmed" fw={400}>
          {profileLabels[profile]}
          {target.kind === 'system' ? ', all sources of the system' : ''}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    render: scan => (scan.finished_at ? <StatusBadge status={scan.status} /> : <ScanProgress scan={scan} />),
  },
  {
    key: 'verdict',
    header: 'Verdict',
    render: ({ verdict }) => (verdict ? <StatusBadge status={verdict} /> : '–'),
  },
  {
    key: 'runs',
    header: 'Runs',
    align: 'right',
    wideOnly: true,
    render: ({ runs_succeeded, runs_planned }) => (
      <span className="tabular">
        {runs_succeeded} of {runs_planned}
      </span>
    ),
  },
  {
    key: 'took',
    header: 'Took',
    align: 'right',
    wideOnly: true,
    render: scan => <span className="tabular">{tookSeconds(scan)}</span>,
  },
  { key: 'at', header: 'Started', render: ({ created_at }) => <RelativeTime at={created_at} /> },
];

export function ScansTable({ scans }: { readonly scans: readonly ScanRow[] }) {
  const to = useOrganizationPaths();
  return (
    <DataTable
      caption="Scans"
      columns={columns}
      rows={scans}
      rowKey={scan => scan.id}
      href={scan => to.object('scans', scan.id)}
    />
  );
}
