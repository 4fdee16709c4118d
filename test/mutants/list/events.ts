import type { Mutant, TestName } from '../mutant.ts';

const partitions = 'migrations/0034_events_at_scale.sql';
const functions = 'migrations/0039_events_by_series.sql';
const counting = 'migrations/0044_counts_of_all_systems.sql';
const store = 'src/resources/events/event-store.ts';
const stored = (test: string): TestName => ({ file: 'test/resources/event-store.test.ts', test });
const listed = (test: string): TestName => ({ file: 'test/resources/event-list.test.ts', test });

/** Events are stored once, apart from those of others, and for as long as they are kept. */
export const eventMutants: readonly Mutant[] = [
  {
    name: 'Nodes do not wait for each other to store events of a system',
    file: functions,
    search: 'perform pg_advisory_xact_lock(1162170447, lock) from (',
    replacement: 'perform lock from (',
    killedBy: stored('finds an id that another node has just stored into the partition before'),
  },
  {
    name: 'A batch fails as a whole',
    file: store,
    search: 'batch.length > 1 && isOfValues(error)',
    replacement: 'batch.length < 0 && isOfValues(error)',
    killedBy: stored('stores the requests of a batch apart'),
  },
  {
    name: 'Events of an unknown system are stored',
    file: functions,
    search: 'join systems y on y.organization_id = r.organization_id and y.id = r.system_id',
    replacement: 'left join systems y on y.organization_id = r.organization_id and y.id = r.system_id',
    killedBy: stored('stores the requests of a batch apart'),
  },
  {
    name: 'An id is forgotten before its event',
    file: functions,
    search: "e.received_at >= today - retention * interval '24 hours'",
    replacement: "e.received_at >= today - retention * interval '23 hours'",
    killedBy: stored('knows an id for as long as its event is kept'),
  },
  {
    name: 'Dropping a partition waits for its readers',
    file: partitions,
    search: "set lock_timeout = '200ms'",
    replacement: "set lock_timeout = '6s'",
    killedBy: stored(
      'drops a partition when all its events are past their retention, unless it is being read',
    ),
  },
  {
    name: 'A partition is dropped while its last events are kept',
    file: partitions,
    search: '<= current_date - retention',
    replacement: '<= current_date - retention + event_partition_days(retention)',
    killedBy: stored('keeps a partition as long as one of its events may be kept'),
  },
  {
    name: 'Events past their retention are visible',
    file: partitions,
    search: 'create policy retained on events as restrictive for select to {{app}}\n  using (received_at >=',
    replacement:
      'create policy retained on events as restrictive for select to {{app}}\n  using (true or received_at >=',
    killedBy: listed('hides events past their retention at once'),
  },
  {
    name: 'Kinds without a limit are counted one by one',
    file: counting,
    search: 'case when fits then kind else',
    replacement: 'case when fits or true then kind else',
    killedBy: listed('counts kinds exactly beyond the number that is counted one by one'),
  },
];
