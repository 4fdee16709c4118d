import { Stack, Text } from '@mantine/core';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Score } from '../../components/score.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels } from './source-labels.ts';

const columns: readonly Column<SourceRow>[] = [
  {
    key: 'name',
    header: 'Source',
    render: ({ name, host, kind }) => <TwoLines title={name} detail={`${kindLabels[kind]}, ${host}`} />,
  },
  { key: 'system', header: 'System', render: ({ system }) => system.name },
  {
    key: 'status',
    header: 'Status',
    render: ({ status, state }) => (
      <Stack gap={0}>
        <StatusBadge status={status} />
        {state.next && status !== 'disconnected' && (
          <Text size="xs" c="dimmed" maw="26ch">
            {state.next.text}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'score', header: 'Score', render: ({ score }) => <Score score={score} /> },
  {
    key: 'open',
    header: 'Open findings',
    render: ({ open, score }) => <SeverityCounts open={open} scanned={score !== null} />,
  },
  {
    key: 'scan',
    header: 'Last scan',
    render: ({ last_scan: scan }) => {
      if (!scan) {
        return (
          <Text span size="sm" c="dimmed">
            Never
          </Text>
        );
      }
      return scan.finished_at ? <RelativeTime at={scan.finished_at} /> : <StatusBadge status={scan.status} />;
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
