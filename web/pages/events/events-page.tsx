import { Button, Group, Select, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router';
import type { EventCounts, EventFilters, EventRow } from '../../../src/contract/dashboard/events.ts';
import { useEventCounts, useEvents } from '../../api/events.ts';
import { useOrganization } from '../../api/session.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';

const EventsChart = lazy(() => import('./events-chart.tsx'));

const names = ['channel', 'kind', 'system_id', 'days'] as const;
const day = 86_400_000;

const columns: readonly Column<EventRow>[] = [
  {
    key: 'kind',
    header: 'Event',
    render: ({ kind }) => (
      <Text span size="sm" ff="monospace">
        {kind}
      </Text>
    ),
  },
  {
    key: 'channel',
    header: 'From',
    render: ({ channel }) => (channel === 'shield' ? 'Shield' : 'A probe or client'),
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

/** What probes and Shield have reported. Payloads stay in the service. */
export default function EventsPage() {
  const { values, set, clear, active } = useUrlFilters(names);
  const { days = '7', ...others } = values;
  // Fixed while the page is open: else each look at the clock would be another filter.
  const from = useMemo(() => new Date(Date.now() - Number(days) * day).toISOString(), [days]);
  const filters = { ...others, from } as EventFilters;
  const events = useEvents(filters);
  const counts = useEventCounts(filters);
  const rows = events.data?.pages.flatMap(page => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Events"
        description="What probes and Shield report, by when it occurred. What is in an event is stored, and shown nowhere."
      />
      <FilterBar active={active} onClear={clear}>
        <Select
          aria-label="Time"
          w={160}
          allowDeselect={false}
          data={[
            { value: '1', label: 'Last 24 hours' },
            { value: '3', label: 'Last 3 days' },
            { value: '7', label: 'Last 7 days' },
            { value: '30', label: 'Last 30 days' },
            { value: '90', label: 'Last 90 days' },
          ]}
          value={days}
          onChange={value => set({ days: value === '7' ? null : value })}
        />
        <FilterSelect
          label="From"
          anything="From anywhere"
          w={170}
          choices={[
            { value: 'events', label: 'Probes and clients' },
            { value: 'shield', label: 'Shield' },
          ]}
          value={values.channel}
          onChange={channel => set({ channel })}
        />
        <FilterSelect
          label="Kind"
          anything="Any kind"
          searchable
          w={190}
          choices={kindsOf(counts.data, values.kind)}
          value={values.kind}
          onChange={kind => set({ kind })}
        />
        <SystemSelect w={180} value={values.system_id} onChange={system_id => set({ system_id })} />
      </FilterBar>
      <Stack>
        <Loaded query={counts} skeleton={<CardSkeleton height={290} />}>
          {data => <OverTime counts={data} />}
        </Loaded>
        <Loaded query={events}>
          {() =>
            rows.length > 0 ? (
              <DataTable
                caption="Events"
                columns={columns}
                rows={rows}
                rowKey={event => `${event.system.id} ${event.channel} ${event.id}`}
              />
            ) : (
              <Nothing filtered={active} />
            )
          }
        </Loaded>
        <LoadMore query={events} />
      </Stack>
    </>
  );
}

function OverTime({ counts }: { readonly counts: EventCounts }) {
  const total = counts.counts.reduce((sum, { events, shield }) => sum + events + shield, 0);
  if (total === 0) return null;
  return (
    <Section
      title="Over time"
      actions={
        <Text size="sm" c="dimmed" className="tabular">
          {total.toLocaleString()} by {counts.bucket} (UTC)
        </Text>
      }
    >
      <div aria-hidden>
        <Suspense fallback={<Skeleton h={200} />}>
          <EventsChart counts={counts.counts} bucket={counts.bucket} />
        </Suspense>
      </div>
      <VisuallyHidden>
        {total} events. Most often:{' '}
        {counts.kinds
          .slice(0, 3)
          .map(({ kind, count }) => `${kind}, ${count}`)
          .join('; ')}
        {counts.more_kinds > 0 && `; and ${counts.more_kinds.toLocaleString()} rarer kinds`}.
      </VisuallyHidden>
    </Section>
  );
}

function kindsOf(counts: EventCounts | undefined, chosen: string | undefined) {
  const kinds = (counts?.kinds ?? []).map(({ kind, count }) => ({
    value: kind,
    label: `${kind} (${count.toLocaleString()})`,
  }));
  if (!chosen || kinds.some(({ value }) => value === chosen)) return kinds;
  return [...kinds, { value: chosen, label: chosen }];
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  if (filtered) return <EmptyState title="No event fits these filters">Choose a longer time.</EmptyState>;
  return (
    <EmptyState
      icon={IconActivity}
      title="No event in the last 7 days"
      action={
        canOperate && (
          <Group>
            <Button component={Link} to={to.section('settings/keys')} variant="default">
              Mint a probe key
            </Button>
          </Group>
        )
      }
    >
      Probes in your network and Shield in front of your applications report here. Each signs with a probe key
      of its system.
    </EmptyState>
  );
}
