import type { EventRetention } from '../../contract/dashboard/events.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';

/** For how many days the organization's events are kept. */
export async function readEventRetention(session: TenantSession): Promise<EventRetention> {
  const [organization] = await session.query(db.selectFrom('organizations').select('event_retention_days'));
  return { retention_days: organization!.event_retention_days };
}

/**
 * A shorter retention hides older events at once. A longer one applies to events that are received from now on: earlier
 * ones keep theirs.
 */
export async function changeEventRetention(
  transaction: TenantTransaction,
  { retention_days }: EventRetention,
): Promise<EventRetention> {
  // Events that refer to the row are stored meanwhile, while their batch holds the locks below.
  const [before] = await transaction.query(
    db.selectFrom('organizations').select(['id', 'event_retention_days']).forNoKeyUpdate(),
  );
  const { id, event_retention_days } = before!;
  if (event_retention_days !== retention_days) {
    // store_events reads it more than once, and takes the same locks.
    await transaction.query({
      text: `select pg_advisory_xact_lock(1162170447, lock) from (
        select distinct hashtext(organization_id::text || id::text) as lock from systems order by 1) as locks`,
    });
    await transaction.query(db.updateTable('organizations').set({ event_retention_days: retention_days }));
    transaction.audit({
      action: 'organization.event_retention_changed',
      objectKind: 'organization',
      objectId: id,
      detail: { from_days: event_retention_days, days: retention_days },
    });
  }
  return { retention_days };
}
