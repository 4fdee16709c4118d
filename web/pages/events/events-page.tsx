import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import type { EventFilters as Filters } from '../../../src/contract/dashboard/events.ts';
import { useEventCounts, useEvents } from '../../api/events.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { day } from '../../formats/dates.ts';
import { defaultDays, EventFilters, filterNames } from './event-filters.tsx';
import { EventVolume } from './event-volume.tsx';
import { EventsTable } from './events-table.tsx';
import { NoEvents } from './no-events.tsx';

/** Events of probes, API clients and Shield. The service does not show their payloads. */
export default function EventsPage() {
  const { values, set, clear, active } = useUrlFilters(filterNames);
  const { days = defaultDays, ...others } = values;
  // Fixed while the page is open, since every other start time would be another query.
  const from = useMemo(() => new Date(Date.now() - Number(days) * day).toISOString(), [days]);
  const filters = { ...others, from } as Filters;
  const events = useEvents(filters);
  const counts = useEventCounts(filters);
  const rows = events.data?.pages.flatMap(page => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Events"
        description="Events from probes, API clients and Shield. Payloads are stored, but not shown."
      />
      <EventFilters values={values} set={set} clear={clear} active={active} counts={counts.data} />
      <Stack>
        <Loaded query={counts} skeleton={<CardSkeleton height={290} />}>
          {data => <EventVolume counts={data} />}
        </Loaded>
        <Loaded query={events}>
          {() => (rows.length > 0 ? <EventsTable events={rows} /> : <NoEvents filtered={active} />)}
        </Loaded>
        <LoadMore query={events} />
      </Stack>
    </>
  );
}
