import { Stack } from '@mantine/core';
import type { ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Mono } from '../../components/mono.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { duration } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';

type Run = ScanDetail['runs'][number];

/** One row per detector and source. */
export function RunsTable({ runs }: { readonly runs: readonly Run[] }) {
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
