import { kindsOf } from '../../contract/dashboard/notifications.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Notices that are taken at a time, and at most so many pairs of a notice and someone who wants it. */
const atOnce = 500;
const mostPairs = 50_000;

/** How long an alert waits for more of the same scan or system. */
const gatherSeconds = 10;

/** Whether a recipient wants notice `n`: one of its kinds and, of new findings, at least its severity. */
const wants = (recipient: string) =>
  `n.kind = any(${recipient}.kinds) and (n.severity is null or
    array_position(array['critical', 'high', 'medium', 'low'], n.severity) <=
    array_position(array['critical', 'high', 'medium', 'low'], ${recipient}.severity))`;

/** SQL that takes notices, `$1` of them. @param which a condition on a notice */
const taken = (which: string) => `taken as (
  update notices set waits = false where id in (
    select id from notices where waits and ${which} order by created_at limit $1 for update skip locked)
  returning id, kind, severity, person_id)`;

/**
 * SQL that adds the pairs to the alert of each recipient that waits, or begins one. It waits for a worker that claims the alert meanwhile. An
 * alert that was put off is considered again: what joins it may be urgent.
 */
const addToPeople = `alerts as (
    insert into outbox as o (purpose, person_id, ready_at)
    select distinct 'alert', person_id, now() + interval '${gatherSeconds} seconds' from pairs
    on conflict (organization_id, person_id) where purpose = 'alert' and state = 'waiting' and person_id is not null
      do update set ready_at = least(o.ready_at, excluded.ready_at)
    returning id, person_id)
  insert into outbox_notices (message_id, notice_id)
  select a.id, p.notice_id from alerts a join pairs p on p.person_id = a.person_id on conflict do nothing`;

const addToChannels = `alerts as (
    insert into outbox as o (purpose, channel_id, ready_at)
    select distinct 'alert', channel_id, now() + interval '${gatherSeconds} seconds' from pairs
    on conflict (organization_id, channel_id) where purpose = 'alert' and state = 'waiting' and channel_id is not null
      do update set ready_at = least(o.ready_at, excluded.ready_at)
    returning id, channel_id)
  insert into outbox_notices (message_id, notice_id)
  select a.id, p.notice_id from alerts a join pairs p on p.channel_id = a.channel_id on conflict do nothing`;

/**
 * Adds the notices that wait to the next alert of everyone who wants them, and begins one for those without. Which findings it lists is
 * decided when it is sent.
 *
 * @param hasMail without it, people get nothing
 */
export async function fanOut(transaction: TenantTransaction, hasMail: boolean): Promise<void> {
  await transaction.query({
    text: `with ${taken('person_id is not null')},
      pairs as (
        select n.id as notice_id, s.person_id from taken n
          join notification_settings s on s.person_id = n.person_id and n.kind = any(s.kinds)
          join memberships m on m.person_id = s.person_id and m.left_at is null
        where $2), ${addToPeople}`,
    values: [atOnce, hasMail],
  });
  const [count] = await transaction.query<{ recipients: number }>({
    text: `select (select count(*) from notification_settings)::int + (select count(*) from notification_channels)::int as recipients`,
  });
  const most = Math.min(atOnce, Math.max(1, Math.floor(mostPairs / Math.max(1, count!.recipients))));
  const general = await transaction.query<{ id: string }>({
    text: `with ${taken('person_id is null')} select id from taken`,
    values: [most],
  });
  if (general.length === 0) return;
  const ids = general.map(({ id }) => id);
  await transaction.query({
    text: `with pairs as (
        select n.id as notice_id, s.person_id
        from notices n cross join notification_settings s join memberships m on m.person_id = s.person_id and m.left_at is null
        where n.id = any($1) and $2
          and n.kind = any(case m.role when 'owner' then $3::text[] when 'admin' then $4 else $5 end) and (${wants('s')}
          or n.kind = 'new_findings' and exists (select from view_alerts a where a.person_id = s.person_id))), ${addToPeople}`,
    values: [ids, hasMail, kindsOf('owner'), kindsOf('admin'), kindsOf('member')],
  });
  await transaction.query({
    text: `with pairs as (
        select n.id as notice_id, c.id as channel_id from notices n cross join notification_channels c
        where n.id = any($1) and ${wants('c')}), ${addToChannels}`,
    values: [ids],
  });
}
