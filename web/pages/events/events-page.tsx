import { Button, Stack, VisuallyHidden } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { EventCounts, EventRow, ListEvents } from '../../../src/contract/dashboard/events.ts';
import { useEventCounts, useEvents } from '../../api/events.ts';
import { useOrganization } from '../../api/session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { Mono } from '../../components/mono.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { day, hour } from '../../formats/dates.ts';
import { counted } from '../../formats/numbers.ts';
import { laterChart } from '../../later/chart.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { EventDrawer } from './event-drawer.tsx';
import { defaultDays, EventFilters, filterNames } from './event-filters.tsx';
import { EventRetention } from './event-retention.tsx';

/** Events of probes, API clients and Shield. Only the content of a probe's own reports is shown. */
export default function EventsPage() {
  const { canOperate } = useOrganization();
  const urlFilters = useUrlFilters(filterNames);
  const { days = defaultDays, ...others } = urlFilters.values;
  // Fixed while the page is open, since every other start time would be another query. Whole hours are counted fastest.
  const from = useMemo(() => {
    const start = Date.now() - Number(days) * day;
    return new Date(start - (start % hour)).toISOString();
  }, [days]);
  const { probe_id, ...countable } = { ...others, from } as ListEvents;
  const events = useEvents({ ...countable, ...(probe_id ? { probe_id } : {}) });
  const counts = useEventCounts(countable);
  const rows = events.data?.pages.flatMap(page => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Events"
        description="Events from probes, API clients and Shield. Open a report of a probe to see its content. Other payloads are stored, but not shown."
        actions={canOperate && <EventRetention />}
      />
      <EventFilters filters={urlFilters} counts={counts.data} />
      <Stack>
        {/* Events are not counted by probe. */}
        {!probe_id && (
          <Loaded query={counts} skeleton={<CardSkeleton height={290} />}>
            {data => <EventVolume counts={data} />}
          </Loaded>
        )}
        <Loaded query={events}>
          {() =>
            rows.length > 0 ? <EventsTable events={rows} /> : <NoEvents filtered={urlFilters.active} />
          }
        </Loaded>
        <LoadMore query={events} />
      </Stack>
    </>
  );
}

const VolumeChart = laterChart(200, () => import('../../components/volume-chart.tsx'));

/** The number of events over time, as a chart and as a sentence for screen readers. */
function EventVolume({ counts }: { readonly counts: EventCounts }) {
  const total = counts.counts.reduce((sum, { events, shield }) => sum + events + shield, 0);
  if (total === 0) return null;
  const most = counts.kinds.slice(0, 3).map(({ kind, count }) => `${kind}, ${count}`);
  return (
    <Section
      title="Event volume"
      actions={
        <Dimmed className="tabular">
          {counted(total, 'event')} by {counts.bucket} (UTC)
        </Dimmed>
      }
    >
      <VolumeChart
        bucket={counts.bucket}
        names={['Probes and API clients', 'Shield']}
        counts={counts.counts.map(({ at, events, shield }) => ({ at, numbers: [events, shield] }))}
      />
      <VisuallyHidden>
        {counted(total, 'event')}. Most frequent types: {most.join('; ')}
        {counts.more_kinds > 0 && `; and ${counts.more_kinds.toLocaleString()} more`}.
      </VisuallyHidden>
      {counts.of_other_kinds > 0 && (
        <Dimmed mt="sm">
          {counted(counts.of_other_kinds, 'event')} not counted by type, because keys have sent too many
          types. The counts of types lack them.
        </Dimmed>
      )}
    </Section>
  );
}

/** The probe or forwarder, and its key; others have only a key. */
function Sender({ event: { sender, key } }: { readonly event: EventRow }) {
  const { id, name } = key;
  const keyName = name ?? <code>{id.slice(0, 8)}…</code>;
  return sender === null ? keyName : <TwoLines title={sender} detail={keyName} />;
}

const columns: readonly Column<EventRow>[] = [
  { header: 'Type', render: ({ kind }) => <Mono>{kind}</Mono> },
  { header: 'Channel', render: ({ channel }) => (channel === 'shield' ? 'Shield' : 'Probe or API client') },
  { header: 'System', render: ({ system }) => system.name },
  { header: 'Sender', render: event => <Sender event={event} /> },
  { header: 'Occurred', render: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
  { header: 'Received', wideOnly: true, render: ({ received_at }) => <RelativeTime at={received_at} /> },
];

const rowKey = (event: EventRow) => `${event.system.id} ${event.channel} ${event.id}`;

function EventsTable({ events }: { readonly events: readonly EventRow[] }) {
  const [open, setOpen] = useState<EventRow>();
  return (
    <>
      <DataTable
        caption="Events"
        columns={columns}
        rows={events}
        rowKey={rowKey}
        onOpen={setOpen}
        activeKey={open && rowKey(open)}
      />
      <EventDrawer event={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

function NoEvents({ filtered }: { readonly filtered: boolean }) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  if (filtered) return <NoMatches what="events">Choose a longer period or remove a filter.</NoMatches>;
  return (
    <EmptyState
      icon={IconActivity}
      title="No events in the last 7 days"
      action={
        canOperate && (
          <Button component={Link} to={to.section('probes/new')} variant="default">
            Add a probe
          </Button>
        )
      }
    >
      Events from probes in your network and from Shield in front of your applications appear here. Add a
      probe to send them.
    </EmptyState>
  );
}
