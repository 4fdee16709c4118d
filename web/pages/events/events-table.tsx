import type { EventRow } from '../../../src/contract/dashboard/events.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';

const columns: readonly Column<EventRow>[] = [
  { key: 'kind', header: 'Type', render: ({ kind }) => <Mono>{kind}</Mono> },
  {
    key: 'channel',
    header: 'Channel',
    render: ({ channel }) => (channel === 'shield' ? 'Shield' : 'Probe or API client'),
  },
  { key: 'system', header: 'System', render: ({ system }) => system.name },
  {
    key: 'key',
    header: 'Key',
    wideOnly: true,
    render: ({ key }) => key.name ?? <code>{key.id.slice(0, 8)}…</code>,
  },
  { key: 'occurred', header: 'Occurred', render: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
  {
    key: 'received',
    header: 'Received',
    wideOnly: true,
    render: ({ received_at }) => <RelativeTime at={received_at} />,
  },
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
