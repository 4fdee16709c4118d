import type { KeyKind, Scope } from '../../contract/keys.ts';
import { countOfRows, now } from '../../database/expressions.ts';
import { idsOf, newest, type Page, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/** The immutable part of a key, which nodes can cache without expiry. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: KeyKind;
  /** The only system of a probe key. */
  readonly systemId: string | null;
  /** SHA-256 of the bearer token. */
  readonly tokenHash: Buffer;
  /** 32 bytes, Ed25519. */
  readonly publicKey: Buffer;
  readonly scopes: readonly Scope[];
  /** Whether the key can be used from a client's address. */
  readonly allowsAddress: (address: string | undefined) => boolean;
}

export interface NewApiKey {
  readonly kind: KeyKind;
  /** The one system of a probe key; null for a dashboard key. */
  readonly systemId: string | null;
  readonly tokenHash: Buffer;
  readonly publicKey: Buffer;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** Normalized addresses and CIDRs that may use the key; any if missing. */
  readonly allowedAddresses?: readonly string[];
  /** Its purpose, in the words of the person who created it. */
  readonly name?: string | undefined;
  /** The key that it replaces. */
  readonly replaces?: string;
}

export interface ApiKeyListing {
  readonly token_id: string;
  readonly name: string | null;
  readonly kind: KeyKind;
  readonly system_id: string | null;
  readonly system_name: string | null;
  readonly scopes: Scope[];
  readonly allowed_addresses: string[];
  readonly status: 'active' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export async function insertApiKey(transaction: TenantTransaction, key: NewApiKey) {
  const rows = await transaction.query<{ id: string; expires_at: string; allowed_addresses: string[] }>({
    text: `insert into api_keys (kind, system_id, token_hash, public_key, scopes, expires_at, name, allowed_addresses)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning id, expires_at, allowed_addresses::inet[]`,
    values: [
      key.kind,
      key.systemId,
      key.tokenHash,
      key.publicKey,
      key.scopes,
      key.expiresAt,
      key.name || null,
      key.allowedAddresses ?? [],
    ],
  });
  const { id, expires_at: expiresAt, allowed_addresses } = rows[0]!;
  transaction.audit({
    action: 'key.minted',
    objectKind: 'key',
    objectId: id,
    detail: {
      kind: key.kind,
      scopes: key.scopes,
      system_id: key.systemId,
      expires_at: expiresAt,
      ...(key.name ? { name: key.name } : {}),
      ...(key.replaces ? { replaces: key.replaces } : {}),
      ...(allowed_addresses.length > 0 ? { allowed_addresses } : {}),
    },
  });
  return { id, expiresAt };
}

const activeKeys = () =>
  db.selectFrom('api_keys').where('revoked_at', 'is', null).where('expires_at', '>', now);

/** Limits for active keys of an organization, and for the operator's list. */
const most = { active: 500, listed: 1_000 };

/** Keys per page. Each may have dozens of addresses. */
const pageLength = '50';

/** Neither expired nor revoked. */
export async function isKeyActive(session: TenantSession, id: string): Promise<boolean> {
  return (await session.query(activeKeys().select('id').where('id', '=', id))).length > 0;
}

/** Newest first. @param only keys that can be used, if it is `active` */
export async function pageOfApiKeys(
  store: TenantStore,
  query: { readonly cursor?: string; readonly status?: 'active' },
): Promise<Page<ApiKeyListing>> {
  const list = { organization: store.organizationId, name: 'api_keys', order: newest };
  const keys = query.status === 'active' ? activeKeys() : db.selectFrom('api_keys');
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(keys.select(['id', 'created_at']), newest, page)),
    );
    return { rows: await findApiKeys(session, idsOf(rows)), next_cursor };
  });
}

/** For the operator, newest first: all active keys, and the newest others. */
export async function listApiKeys(session: TenantSession): Promise<ApiKeyListing[]> {
  const rows = await session.query<{ id: string }>({
    text: `select id from api_keys order by revoked_at is null and expires_at > now() desc, created_at desc, id desc
      limit ${most.listed}`,
  });
  return findApiKeys(session, idsOf(rows));
}

/** Newest first. As `inet`, a single address has no prefix length. */
function findApiKeys(session: TenantSession, ids: readonly string[]): Promise<ApiKeyListing[]> {
  return session.query<ApiKeyListing>({
    text: `select id as token_id, name, kind, system_id, (select y.name from systems y where y.id = system_id) as system_name, scopes, allowed_addresses::inet[], created_at, expires_at, revoked_at,
        last_used_at, case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end
          as status
      from api_keys where id = any($1) order by created_at desc, id desc`,
    values: [ids],
  });
}

/** Throws `too_many_keys` if the organization has the maximum number of active keys. */
export async function assertRoomForKey(session: TenantSession): Promise<void> {
  const [count] = await session.query(activeKeys().select(countOfRows.as('active')));
  if (count!.active >= most.active) throw new Refusal('too_many_keys');
}

/** The key, or undefined if the organization has none with this id. */
export async function findApiKey(session: TenantSession, id: string): Promise<ApiKeyListing | undefined> {
  return (await findApiKeys(session, [id]))[0];
}

/** Revokes the key permanently. False if it was revoked before or does not exist. */
export async function revokeApiKey(transaction: TenantTransaction, id: string): Promise<boolean> {
  const revoked = await transaction.query(
    db
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id'),
  );
  if (revoked.length === 0) return false;
  transaction.audit({ action: 'key.revoked', objectKind: 'key', objectId: id });
  return true;
}

/** Moves the expiry of an active key earlier. Throws `not_found`, `key_not_active` and `expiry_not_earlier`. */
export async function expireApiKey(transaction: TenantTransaction, id: string, at: Date): Promise<void> {
  const [moved] = await transaction.query(
    db
      .updateTable('api_keys')
      .set({ expires_at: at })
      .where('id', '=', id)
      .where('expires_at', '>', at.toISOString())
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('expires_at'),
  );
  if (!moved) {
    const key = await findApiKey(transaction, id);
    if (!key) throw new Refusal('not_found');
    throw new Refusal(key.status === 'active' ? 'expiry_not_earlier' : 'key_not_active');
  }
  transaction.audit({
    action: 'key.expiry_moved',
    objectKind: 'key',
    objectId: id,
    detail: { expires_at: moved.expires_at },
  });
}
