import { createHash, randomBytes } from 'node:crypto';
import type { Unsubscribed } from '../../contract/dashboard/notifications.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/** A token that turns off mail to the recipient of a message, and its hash, which is stored. */
export function newUnsubscribeToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The recipient of a message whose link turns off mail. */
export interface Subscription extends Unsubscribed {
  readonly organizationId: string;
  readonly personId: string;
}

/** Throws `link_invalid`. */
export async function findSubscription(session: TenantSession, token: string): Promise<Subscription> {
  const [found] = await session.query<Subscription>({
    text: `select o.organization_id as "organizationId", o.person_id as "personId", g.name as organization, p.email as address
      from outbox o join organizations g on g.id = o.organization_id join people p on p.id = o.person_id
      where o.unsubscribe_hash = $1`,
    values: [hashOf(token)],
  });
  if (!found) throw new Refusal('link_invalid');
  return found;
}

/** Turns off all mail of the organization to the person. Again: the same. With the role of the system: the link works without a session. */
export async function unsubscribe(
  transaction: PeopleTransaction,
  { organizationId, personId, organization, address }: Subscription,
): Promise<Unsubscribed> {
  const changed = await transaction.query({
    text: `update notification_settings set kinds = '{}', digest = 'none', next_digest_at = null
      where organization_id = $1 and person_id = $2 and (kinds <> '{}' or digest <> 'none') returning person_id`,
    values: [organizationId, personId],
  });
  await transaction.query({
    text: 'delete from view_alerts where organization_id = $1 and person_id = $2',
    values: [organizationId, personId],
  });
  if (changed.length > 0)
    transaction.audit(
      organizationId,
      { kind: 'person', id: personId },
      { action: 'person.unsubscribed', objectKind: 'person', objectId: personId },
    );
  return { organization, address };
}
