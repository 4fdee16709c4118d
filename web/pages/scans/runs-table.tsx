import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { tookSeconds } from './words.ts';

type Run = ScanDetail['runs'][number];

/** One line for each detector on each source. */
export function RunsTable({ runs }: { readonly runs: readonly Run[] }) {
  const to = useOrganizationPaths();
  const columns: Column<Run>[] = [
    {
      key: 'detector',
      header: 'Detector',
      render: ({ detector }) => (
        <Text span size="sm" ff="monospace">
          {detector}
        </Text>
      ),
    },
    {
      key: 'source',
      header: 'Source',
      render: ({ source }) => (
        <Anchor component={Link} to={to.object('sources', source.id)} size="sm">
          {source.name}
        </Anchor>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      render: ({ status, cause }) => (
        <Stack gap={0}>
          <StatusBadge status={status} />
          {cause && (
            <Text size="xs" c="dimmed" maw="44ch">
              {cause}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'took',
      header: 'Took',
      align: 'right',
      render: run => <span className="tabular">{tookSeconds(run)}</span>,
    },
  ];
  if (runs.length === 0) {
    return <EmptyState title="Not planned yet">A worker plans its runs within a second or two.</EmptyState>;
  }
  return <DataTable caption="Runs" columns={columns} rows={runs} rowKey={run => run.id} />;
}
