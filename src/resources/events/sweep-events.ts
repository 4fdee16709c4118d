import type pg from 'pg';
import { beginTransaction, runTransaction } from '../../database/run-transaction.ts';
import { sessionOn, withSession } from '../../database/tenant-store.ts';

/** Deltas that are added to the counts at once: part of a second. */
const atOnce = 20_000;

/**
 * Series of one organization that are counted: of a system, channel and kind. Clients choose kinds. Reading the counts of
 * 400 over 90 days takes 50 ms.
 */
const mostSeries = 2_000;

/**
 * Creates the partitions of events that are needed soon, drops those whose events are past their retention, and updates
 * the counts. Events are stored without it too, but their counts get slower to read.
 */
export async function sweepEvents(pool: pg.Pool): Promise<void> {
  const session = sessionOn(pool);
  await session.query({
    text: `select create_event_partitions(event_retention_days, now(), 2)
      from (select distinct event_retention_days from organizations order by 1) as retention`,
  });
  const [gone] = await session.query<{ dropped: number }>({
    text: 'select coalesce(drop_event_partitions(), 0) as dropped',
  });
  let folded: number;
  do {
    const rows = await session.query<{ folded: number }>({
      text: 'select coalesce(fold_event_counts($1, $2), 0) as folded',
      values: [atOnce, mostSeries],
    });
    folded = rows[0]!.folded;
  } while (folded === atOnce);
  if (gone!.dropped > 0) await forgetSeries(pool);
}

/** Removes series without counts, which make room for others. */
function forgetSeries(pool: pg.Pool): Promise<void> {
  return runTransaction(pool, beginTransaction, client =>
    withSession(client, async session => {
      // Not while the counts are updated, which refer to series.
      await session.query({ text: 'select pg_advisory_xact_lock(1162170448)' });
      await session.query({
        text: `delete from event_series s where not exists (
          select from event_counts c
            where c.organization_id = s.organization_id and c.grain in ('day', 'day_of_all') and c.series = s.id)`,
      });
    }),
  );
}
