import {
  kindsOf,
  type Notifications,
  type SaveNotificationSettings,
} from '../../contract/dashboard/notifications.ts';
import type { Role } from '../../contract/dashboard/session.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { nextDigest } from './digests.ts';
import { isConfirmed, listMessagesTo } from './outbox.ts';
import { preferencesOf, type StoredPreferences } from './preferences.ts';

/** What people with this role get who have not chosen. */
const defaultSettings = (role: Role): SaveNotificationSettings => ({
  kinds: kindsOf(role),
  severity: 'high',
  digest: 'weekly',
  view_ids: [],
});

/** How notifications reach the person. @param hasMail the operator has set up a mail server */
export async function readNotifications(
  session: TenantSession,
  { personId, role }: { readonly personId: string; readonly role: Role },
  hasMail: boolean,
): Promise<Notifications> {
  const [[stored], [person], views, messages] = await Promise.all([
    session.query<Omit<SaveNotificationSettings, 'view_ids'> & { next_digest_at: string | null }>({
      text: 'select kinds, severity, digest, next_digest_at from notification_settings where person_id = $1',
      values: [personId],
    }),
    session.query<StoredPreferences & { email: string; confirmed: boolean }>({
      text: `select p.email, ${isConfirmed} as confirmed, f.time_zone, f.quiet_from, f.quiet_until, f.quiet_except_critical
        from people p left join person_preferences f on f.person_id = p.id where p.id = $1`,
      values: [personId],
    }),
    session.query<{ view_id: string }>({
      text: 'select view_id from view_alerts where person_id = $1 order by view_id',
      values: [personId],
    }),
    listMessagesTo(session, personId),
  ]);
  const { email, confirmed, ...preferences } = person!;
  const { next_digest_at = null, ...chosen } = stored ?? {};
  return {
    mail: { configured: hasMail, address: email, confirmed },
    settings: stored ? { ...(chosen as typeof stored), view_ids: views.map(({ view_id }) => view_id) } : null,
    defaults: defaultSettings(role),
    preferences: preferencesOf(preferences),
    next_digest_at,
    messages,
  };
}

/**
 * Saves what the person wants to know of the organization. Kinds that the role does not get are kept: the role may change. Throws
 * `not_found` for a view that the person cannot see.
 */
export async function saveNotificationSettings(
  transaction: TenantTransaction,
  personId: string,
  { kinds, severity, digest, view_ids }: SaveNotificationSettings,
): Promise<void> {
  await transaction.query({
    text: `insert into notification_settings as s (person_id, kinds, severity, digest, next_digest_at)
      select $1, $2, $3, $4::text, ${nextDigest('$4::text', 'zone.name')}
      from (select coalesce((select time_zone from person_preferences where person_id = $1), 'UTC') as name) as zone
      on conflict (organization_id, person_id) do update set kinds = excluded.kinds, severity = excluded.severity,
        digest = excluded.digest, next_digest_at = excluded.next_digest_at,
        digested_until = case when s.digest = 'none' then now() else s.digested_until end`,
    values: [personId, kinds, severity, digest],
  });
  await transaction.query({
    text: 'delete from view_alerts where person_id = $1 and view_id <> all($2)',
    values: [personId, view_ids],
  });
  const visible = await transaction.query({
    text: 'select from finding_views where id = any($2) and (person_id = $1 or shared)',
    values: [personId, view_ids],
  });
  if (visible.length < view_ids.length) throw new Refusal('not_found');
  await transaction.query({
    text: `insert into view_alerts (person_id, view_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
    values: [personId, view_ids],
  });
  // Someone with a stolen session could turn alerts off.
  transaction.audit({
    action: 'person.notifications_changed',
    objectKind: 'person',
    objectId: personId,
    detail: { kinds, severity, digest },
  });
}
