import { kindsOf } from '../../contract/dashboard/notifications.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Notices that are taken at a time. */
const atOnce = 500;

/** How long an alert waits for more of the same scan or system. */
const gatherSeconds = 10;

/** Whether a recipient wants notice `n`: one of its kinds and, of new findings, at least its severity. */
const wants = (recipient: string) =>
  `n.kind = any(${recipient}.kinds) and (n.severity is null or
    array_position(array['critical', 'high', 'medium', 'low'], n.severity) <=
    array_position(array['critical', 'high', 'medium', 'low'], ${recipient}.severity))`;

/**
 * Adds the notices that wait to the next alert of everyone who wants them, and begins one for those without. Which findings it lists is
 * decided when it is sent.
 *
 * @param hasMail without it, people get nothing
 */
export async function fanOut(transaction: TenantTransaction, hasMail: boolean): Promise<void> {
  const taken = await transaction.query<{ id: string }>({
    name: 'take-notices',
    text: `update notices set waits = false where id in (
        select id from notices where waits order by created_at limit ${atOnce} for update skip locked)
      returning id`,
  });
  if (taken.length === 0) return;
  const ids = taken.map(({ id }) => id);
  const rows = await transaction.query<{
    notice_id: string;
    person_id: string | null;
    channel_id: string | null;
  }>({
    name: 'recipients-of-notices',
    text: `select n.id as notice_id, s.person_id, null::uuid as channel_id
      from notices n cross join notification_settings s join memberships m on m.person_id = s.person_id and m.left_at is null
      where n.id = any($1) and $2 and n.kind = any(case m.role when 'owner' then $3::text[] when 'admin' then $4 else $5 end) and (${wants('s')}
        or n.kind = 'new_findings' and exists (select from view_alerts a where a.person_id = s.person_id))
      union all
      select n.id, null, c.id from notices n cross join notification_channels c
      where n.id = any($1) and ${wants('c')}`,
    values: [ids, hasMail, kindsOf('owner'), kindsOf('admin'), kindsOf('member')],
  });
  await addTo(
    transaction,
    'person_id',
    rows.flatMap(one => (one.person_id ? [[one.person_id, one.notice_id]] : [])),
  );
  await addTo(
    transaction,
    'channel_id',
    rows.flatMap(one => (one.channel_id ? [[one.channel_id, one.notice_id]] : [])),
  );
}

async function addTo(
  transaction: TenantTransaction,
  recipient: 'person_id' | 'channel_id',
  pairs: readonly (readonly string[])[],
): Promise<void> {
  if (pairs.length === 0) return;
  const recipients = pairs.map(([id]) => id!);
  const notices = pairs.map(([, id]) => id!);
  await transaction.query({
    text: `insert into outbox (purpose, ${recipient}, ready_at)
      select distinct 'alert', id, now() + interval '${gatherSeconds} seconds' from unnest($1::uuid[]) as id
      on conflict (organization_id, ${recipient}) where purpose = 'alert' and state = 'waiting' and ${recipient} is not null do nothing`,
    values: [recipients],
  });
  // Locked, so that none of them is claimed before the notices are added.
  await transaction.query({
    text: `with waiting as (
        select id, ${recipient} as recipient from outbox
        where ${recipient} = any($1) and purpose = 'alert' and state = 'waiting' for update)
      insert into outbox_notices (message_id, notice_id)
      select w.id, pair.notice from unnest($1::uuid[], $2::uuid[]) as pair (recipient, notice)
      join waiting w on w.recipient = pair.recipient`,
    values: [recipients, notices],
  });
}
