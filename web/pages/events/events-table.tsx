import type { EventRow } from '../../../src/contract/dashboard/events.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';

const columns: readonly Column<EventRow>[] = [
  { header: 'Type', render: ({ kind }) => <Mono>{kind}</Mono> },
  { header: 'Channel', render: ({ channel }) => (channel === 'shield' ? 'Shield' : 'Probe or API client') },
  { header: 'System', render: ({ system }) => system.name },
  { header: 'Key', wideOnly: true, render: ({ key }) => key.name ?? <code>{key.id.slice(0, 8)}…</code> },
  { header: 'Occurred', render: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
  { header: 'Received', wideOnly: true, render: ({ received_at }) => <RelativeTime at={received_at} /> },
];

export function EventsTable({ events }: { readonly events: readonly EventRow[] }) {
  return (
    <DataTable
      caption="Events"
      columns={columns}
      rows={events}
      rowKey={event => `${event.system.id} ${event.channel} ${event.id}`}
    />
  );
}
