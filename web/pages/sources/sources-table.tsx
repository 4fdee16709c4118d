import { Stack } from '@mantine/core';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Score } from '../../components/score.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels, statusOf } from './source-labels.ts';

const columns: readonly Column<SourceRow>[] = [
  {
    header: 'Source',
    render: ({ name, host, kind }) => <TwoLines title={name} detail={`${kindLabels[kind]}, ${host}`} />,
  },
  { header: 'System', render: ({ system }) => system.name },
  {
    header: 'Status',
    render: source => (
      <Stack gap={0}>
        <StatusBadge status={statusOf(source)} />
        {source.state.next && source.status !== 'disconnected' && (
          <Dimmed size="xs" maw="26ch">
            {source.state.next.text}
          </Dimmed>
        )}
      </Stack>
    ),
  },
  { header: 'Score', render: ({ score }) => <Score score={score} /> },
  {
    header: 'Open findings',
    render: ({ open, score }) => <SeverityCounts open={open} scanned={score !== null} />,
  },
  {
    header: 'Last scan',
    render: ({ last_scan: scan }) => {
      if (!scan) return <Dimmed span>Never</Dimmed>;
      if (!scan.finished_at) return <StatusBadge status={scan.status} />;
      return (
        <Stack gap={0}>
          {scan.status === 'failed' && <StatusBadge status="failed" />}
          <RelativeTime at={scan.finished_at} />
        </Stack>
      );
    },
  },
];

export function SourcesTable({ sources }: { readonly sources: readonly SourceRow[] }) {
  const to = useOrganizationPaths();
  return (
    <DataTable
      caption="Sources"
      columns={columns}
      rows={sources}
      rowKey={source => source.id}
      href={source => to.object('sources', source.id)}
    />
  );
}
