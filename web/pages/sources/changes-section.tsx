import type { SourceChangePage } from '../../../src/contract/dashboard/probes.ts';
import { useSourceChanges } from '../../api/probes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-column.ts';
import { areaLabels, changeLabels } from './change-labels.ts';

type Change = SourceChangePage['changes'][number];

const columns: readonly Column<Change>[] = [
  { header: 'Name', render: ({ name }) => <span style={{ overflowWrap: 'anywhere' }}>{name}</span> },
  { header: 'What', render: ({ area }) => areaLabels[area] ?? area },
  { header: 'Change', render: ({ change }) => changeLabels[change] ?? change },
  { header: 'When', render: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
];

/** What a probe found changed between two assessments. */
export function ChangesSection({ sourceId }: { readonly sourceId: string }) {
  const changes = useSourceChanges(sourceId);
  const rows = changes.data?.pages.flatMap(page => page.changes) ?? [];
  return (
    <Section
      title="What changed"
      description="Between two assessments, by name. Values stay with the probe. A report lists at most 500 changes; its event has the total."
    >
      <Loaded query={changes} skeleton={<TableSkeleton rows={3} />}>
        {() =>
          rows.length > 0 ? (
            <DataTable
              caption="What changed"
              columns={columns}
              rows={rows}
              rowKey={({ event_id, place }) => `${event_id} ${place}`}
            />
          ) : (
            <Dimmed>
              No change has been reported. Settings, roles and grants that change between assessments appear
              here.
            </Dimmed>
          )
        }
      </Loaded>
      <LoadMore query={changes} />
    </Section>
  );
}
