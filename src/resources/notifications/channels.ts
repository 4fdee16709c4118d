import type { ChangeChannel, Channel, CreateChannel } from '../../contract/dashboard/notifications.ts';
import type { FieldError } from '../../contract/errors.ts';
import { storingLock } from '../../database/advisory-locks.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type Envelope, seal, unseal } from '../credentials/envelope.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import { CredentialLost } from '../credentials/vault.ts';
import { nextDigest } from './digests.ts';
import { assertTimeZone } from './preferences.ts';

const mostChannels = 20;

/** Associated data of a webhook's URL, so that it does not open for another organization or channel. */
export const channelContext = (organizationId: string, channelId: string): string =>
  `parapet notification channel|${organizationId}|${channelId}`;

const columns = `c.id, c.name, c.format, c.host, c.kinds, c.severity, c.digest, c.time_zone, c.created_at, c.next_digest_at, (
  select json_build_object('id', o.id, 'purpose', o.purpose, 'state', o.state, 'error', o.error,
    'created_at', to_char(o.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM'),
    'sent_at', to_char(o.sent_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM'))
  from outbox o where o.channel_id = c.id order by o.created_at desc, o.id limit 1) as last_message`;

/** By name, without their URLs. */
export async function listChannels(session: TenantSession): Promise<Channel[]> {
  return session.query<Channel>({
    text: `select ${columns} from notification_channels c order by lower(c.name), c.id`,
  });
}

export async function findChannel(session: TenantSession, id: string): Promise<Channel | undefined> {
  const rows = await session.query<Channel>({
    text: `select ${columns} from notification_channels c where c.id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Throws `too_many_channels`, and `invalid_body` for a malformed URL or an unknown time zone. */
export async function createChannel(
  transaction: TenantTransaction,
  ring: KeyRing,
  { url, ...input }: CreateChannel,
): Promise<Channel> {
  const { name, format, kinds, severity, digest, time_zone } = input;
  assertTimeZone(time_zone);
  const host = hostOf(url);
  const [{ id, count }] = (await transaction.query<{ id: string; count: number }>({
    text: 'select gen_random_uuid() as id, (select count(*) from notification_channels)::int as count',
  })) as [{ id: string; count: number }];
  if (count >= mostChannels) throw new Refusal('too_many_channels');
  const { masterKeyId, wrappedKey, ciphertext } = await sealUrl(transaction, ring, id, url);
  await transaction.query({
    text: `insert into notification_channels (id, name, format, host, master_key_id, wrapped_key, ciphertext, kinds, severity, digest,
        time_zone, next_digest_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text, $11::text, ${nextDigest('$10::text', '$11::text')})`,
    values: [
      ...[id, name, format, host, masterKeyId, wrappedKey, ciphertext, kinds, severity, digest, time_zone],
    ],
  });
  transaction.audit({
    action: 'channel.created',
    objectKind: 'channel',
    objectId: id,
    detail: { name, format, host },
  });
  return (await findChannel(transaction, id))!;
}

/** Undefined if the organization has none with this id. Without a URL, the stored one remains. Throws like `createChannel`. */
export async function changeChannel(
  transaction: TenantTransaction,
  ring: KeyRing,
  id: string,
  { url, ...input }: ChangeChannel,
): Promise<Channel | undefined> {
  const { name, format, kinds, severity, digest, time_zone } = input;
  assertTimeZone(time_zone);
  const host = url === undefined ? null : hostOf(url);
  const sealed = url === undefined ? undefined : await sealUrl(transaction, ring, id, url);
  const [changed] = await transaction.query<{ host: string }>({
    text: `update notification_channels c set name = $2, format = $3, kinds = $4, severity = $5, digest = $6::text, time_zone = $7::text,
        next_digest_at = ${nextDigest('$6::text', '$7::text')},
        digested_until = case when c.digest = 'none' then now() else c.digested_until end,
        host = coalesce($8, c.host), master_key_id = coalesce($9, c.master_key_id), wrapped_key = coalesce($10, c.wrapped_key),
        ciphertext = coalesce($11, c.ciphertext)
      where id = $1 returning host`,
    values: [
      ...[id, name, format, kinds, severity, digest, time_zone, host],
      ...[sealed?.masterKeyId ?? null, sealed?.wrappedKey ?? null, sealed?.ciphertext ?? null],
    ],
  });
  if (!changed) return undefined;
  transaction.audit({
    action: 'channel.changed',
    objectKind: 'channel',
    objectId: id,
    detail: { name, format, host: changed.host },
  });
  return findChannel(transaction, id);
}

/** With its messages, and those that wait. False if there is none. */
export async function deleteChannel(transaction: TenantTransaction, id: string): Promise<boolean> {
  const [deleted] = await transaction.query<{ name: string }>({
    text: 'delete from notification_channels where id = $1 returning name',
    values: [id],
  });
  if (!deleted) return false;
  transaction.audit({ action: 'channel.deleted', objectKind: 'channel', objectId: id, detail: deleted });
  return true;
}

/** The URL to post to. Never return it to a client or log it. Throws `CredentialLost`. */
export async function openUrl(
  ring: KeyRing,
  organizationId: string,
  channel: Envelope & { readonly id: string },
): Promise<string> {
  const master = await ring.find(channel.masterKeyId);
  if (!master && ring.lost.includes(channel.masterKeyId)) throw new CredentialLost();
  if (!master) throw new Error(`a channel is wrapped by master key ${channel.masterKeyId}, which is missing`);
  return unseal(channel, channelContext(organizationId, channel.id), master);
}

async function sealUrl(
  transaction: TenantTransaction,
  ring: KeyRing,
  id: string,
  url: string,
): Promise<Envelope> {
  // Kept until the transaction ends: a rotation waits for stores that use the previous key.
  await transaction.query({ text: `select pg_advisory_xact_lock_shared(${storingLock})` });
  return seal(url, channelContext(transaction.organizationId, id), await ring.current());
}

function hostOf(text: string): string {
  const refuse = (message: string): never => {
    const fields: FieldError[] = [{ path: 'url', message }];
    throw new Refusal('invalid_body', { fields });
  };
  const url = URL.canParse(text) ? new URL(text) : refuse('must be the URL of an incoming webhook');
  if (!/^https?:$/.test(url.protocol)) return refuse('must begin with https://');
  if (url.username || url.password) return refuse('must not contain a user or password');
  if (url.host.length > 300) return refuse('must have a host name of at most 300 characters');
  return url.host;
}
