import { Stack, Text } from '@mantine/core';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Score } from '../../components/score.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels } from './words.ts';

const columns: readonly Column<SourceRow>[] = [
  {
    key: 'name',
    header: 'Source',
    render: ({ name, host, kind }) => (
      <Stack gap={0} component="span">
        <span>{name}</span>
        <Text span size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
          {kindLabels[kind]}, {host}
        </Text>
      </Stack>
    ),
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
    render: ({ last_scan: scan }) =>
      !scan ? (
        <Text span size="sm" c="dimmed">
          Never
        </Text>
      ) : scan.finished_at ? (
        <RelativeTime at={scan.finished_at} />
      ) : (
        <StatusBadge status={scan.status} />
      ),
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
