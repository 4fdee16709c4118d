import type { ScanRow } from '../../../src/contract/dashboard/scans.ts';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { duration } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { profileLabels } from './profile-labels.ts';

const columns: readonly Column<ScanRow>[] = [
  {
    key: 'target',
    header: 'Target',
    render: ({ target, profile }) => (
      <TwoLines
        title={target.name}
        detail={`${profileLabels[profile]}${target.kind === 'system' ? ', all sources' : ''}`}
      />
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
    key: 'duration',
    header: 'Duration',
    align: 'right',
    wideOnly: true,
    render: scan => <span className="tabular">{duration(scan)}</span>,
  },
  { key: 'at', header: 'Requested', render: ({ created_at }) => <RelativeTime at={created_at} /> },
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
