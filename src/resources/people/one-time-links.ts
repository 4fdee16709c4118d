import { randomBytes } from 'node:crypto';
import { setUpLock } from '../../database/advisory-locks.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashToken, isToken } from './sessions.ts';

const validHours = 24;
const usable = 'used_at is null and expires_at > now()';

/** Whether any account exists, which makes set-up links invalid. */
export async function hasPeople(session: TenantSession): Promise<boolean> {
  const rows = await session.query({ text: 'select from people limit 1' });
  return rows.length > 0;
}

/** Whether a set-up link has been made, which may have expired. */
export async function hasSetUpLink(session: TenantSession): Promise<boolean> {
  const rows = await session.query({ text: "select from one_time_links where purpose = 'set_up' limit 1" });
  return rows.length > 0;
}

/** A link for the first person, or for a new password of the given one. The token is shown only once. */
export async function makeLink(session: TenantSession, personId?: string) {
  const token = randomBytes(32).toString('base64url');
  const rows = await session.query<{ expires_at: string }>({
    text: `insert into one_time_links (token_hash, purpose, person_id, expires_at)
      values ($1, case when $2::uuid is null then 'set_up' else 'password' end, $2, now() + interval '${validHours} hours')
      returning expires_at`,
    values: [hashToken(token), personId ?? null],
  });
  return { token, expiresAt: rows[0]!.expires_at };
}

/** When the set-up link expires. Throws `link_invalid`. */
export async function previewSetUp(session: TenantSession, token: string): Promise<string> {
  if (!isToken(token)) throw new Refusal('link_invalid');
  const rows = await session.query<{ expires_at: string }>({
    text: `select expires_at from one_time_links where token_hash = $1 and purpose = 'set_up' and ${usable}
      and not exists (select from people)`,
    values: [hashToken(token)],
  });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0].expires_at;
}

/** The account whose password the link sets. Throws `link_invalid`. */
export async function previewPasswordLink(session: TenantSession, token: string) {
  if (!isToken(token)) throw new Refusal('link_invalid');
  const rows = await session.query<{ person_id: string; email: string; name: string; expires_at: string }>({
    text: `select l.person_id, p.email, p.name, l.expires_at from one_time_links l join people p on p.id = l.person_id
      where l.token_hash = $1 and l.purpose = 'password' and ${usable}`,
    values: [hashToken(token)],
  });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0];
}

/** Uses the link. Of several simultaneous uses, one succeeds, and the first account invalidates all set-up links. */
export async function spendLink(transaction: PeopleTransaction, token: string): Promise<void> {
  const rows = await transaction.query({
    text: `update one_time_links set used_at = now() where token_hash = $1 and ${usable} returning purpose`,
    values: [hashToken(token)],
  });
  if (rows.length === 0) throw new Refusal('link_invalid');
}

/** Invalidates every unused link of the person. */
export async function removeLinks(session: TenantSession, personId: string): Promise<void> {
  await session.query({
    text: 'delete from one_time_links where person_id = $1 and used_at is null',
    values: [personId],
  });
}

/** Kept until the transaction ends: serializes set-ups with any link. */
export async function lockSetUp(transaction: PeopleTransaction): Promise<void> {
  await transaction.query({ text: `select pg_advisory_xact_lock(${setUpLock})` });
  if (await hasPeople(transaction)) throw new Refusal('link_invalid');
}
