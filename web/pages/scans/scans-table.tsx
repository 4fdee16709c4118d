import type { ListedScan } from '../../../src/contract/dashboard/scans.ts';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { duration } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { profileLabels } from './profile-labels.ts';
import { reporterText } from './reporter-text.ts';

function detailOf({ target, profile, reporter }: ListedScan): string {
  const label = profileLabels[profile];
  if (reporter) return `${label} ${reporterText(reporter)}`;
  return target.kind === 'system' ? `${label}, all sources` : label;
}

/** `3 new, 1 resolved`. */
function changesOf({ opened, resolved }: ListedScan): string {
  const parts = [
    ...(opened > 0 ? [`${opened.toLocaleString()} new`] : []),
    ...(resolved > 0 ? [`${resolved.toLocaleString()} resolved`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : '–';
}

const columns: readonly Column<ListedScan>[] = [
  {
    header: 'Target',
    render: scan => <TwoLines title={scan.target.name} detail={detailOf(scan)} />,
  },
  {
    header: 'Status',
    render: scan => (scan.finished_at ? <StatusBadge status={scan.status} /> : <ScanProgress scan={scan} />),
  },
  { header: 'Verdict', render: ({ verdict }) => (verdict ? <StatusBadge status={verdict} /> : '–') },
  {
    header: 'Findings',
    render: scan => changesOf(scan),
  },
  {
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
    header: 'Duration',
    align: 'right',
    wideOnly: true,
    render: scan => <span className="tabular">{duration(scan)}</span>,
  },
  { header: 'Requested', render: ({ created_at }) => <RelativeTime at={created_at} /> },
];

export function ScansTable({ scans }: { readonly scans: readonly ListedScan[] }) {
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
