import { createHash, randomBytes } from 'node:crypto';
import type { Unsubscribed } from '../../contract/dashboard/notifications.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/** A token that turns off mail to the recipient of a message, and its hash, which is stored. */
export function newUnsubscribeToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Turns off all mail of the organization to the person who got the message. Again: the same. With the role of the system, since the link
 * works without a session. Throws `link_invalid`.
 */
export async function unsubscribe(transaction: PeopleTransaction, token: string): Promise<Unsubscribed> {
  const [message] = await transaction.query<{
    organization_id: string;
    person_id: string;
    organization: string;
    address: string;
  }>({
    text: `select o.organization_id, o.person_id, g.name as organization, p.email as address
      from outbox o join organizations g on g.id = o.organization_id join people p on p.id = o.person_id
      where o.unsubscribe_hash = $1`,
    values: [hashOf(token)],
  });
  if (!message) throw new Refusal('link_invalid');
  const { organization_id: organizationId, person_id: personId, organization, address } = message;
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
