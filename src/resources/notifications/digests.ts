import type { TenantTransaction } from '../../database/tenant-store.ts';

/** The hour of the local day at which digests are sent. */
const digestHour = 8;

/** SQL of the next digest in this time zone; null for none. */
export const nextDigest = (digest: string, zone: string) =>
  `case when ${digest} <> 'none' then next_local_hour(now(), ${zone}, ${digestHour}, ${digest} = 'weekly') end`;

/**
 * Begins the digests of the organization that are due, each from the end of the one before. A service that was down sends one for the
 * whole time.
 *
 * @param hasMail without it, people get nothing
 */
export async function beginDigests(transaction: TenantTransaction, hasMail: boolean): Promise<void> {
  await transaction.query({
    text: `with due as (
        select person_id, digested_until from notification_settings where next_digest_at <= now() for update skip locked),
      moved as (
        update notification_settings s set digested_until = now(),
          next_digest_at = ${nextDigest('s.digest', `coalesce((select time_zone from person_preferences f where f.person_id = s.person_id), 'UTC')`)}
        from due where s.person_id = due.person_id)
      insert into outbox (purpose, person_id, period_from)
      select 'digest', due.person_id, due.digested_until from due join memberships m on m.person_id = due.person_id
      where $1 and m.left_at is null`,
    values: [hasMail],
  });
  await transaction.query({
    text: `with due as (
        select id, digested_until from notification_channels where next_digest_at <= now() for update skip locked),
      moved as (
        update notification_channels c set digested_until = now(), next_digest_at = ${nextDigest('c.digest', 'c.time_zone')}
        from due where c.id = due.id)
      insert into outbox (purpose, channel_id, period_from) select 'digest', id, digested_until from due`,
  });
}
