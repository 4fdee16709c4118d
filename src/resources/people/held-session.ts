import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashToken, isOpen } from './sessions.ts';

/** A session, as a request knows it. */
export interface HeldSession {
  readonly id: string;
  readonly token: string;
}

/** SQL of a session `s`: whether it is open, and still what `valuesOf` says. */
const isHeld = `id = $1 and token_hash = $2 and ${isOpen}`;

const valuesOf = ({ id, token }: HeldSession) => [id, hashToken(token)] as const;

/**
 * Whether the session was not ended, and goes on under this token: a copy of the one before does nothing any more. With the
 * account locked, it stays so until the transaction ends.
 */
export async function isSessionOpen(session: TenantSession, held: HeldSession): Promise<boolean> {
  const rows = await session.query({
    text: `select from sessions s where ${isHeld}`,
    values: valuesOf(held),
  });
  return rows.length > 0;
}

/**
 * The second factor that completes a sign-in, fresh as it is. The session goes on under a new token: one that leaked before
 * is worth nothing. Where it is the person's first, something may have been read by the one before: that ends.
 */
export async function completeSignIn(
  session: TenantSession,
  held: HeldSession,
  token: string,
): Promise<void> {
  const change =
    'second_factor_at = now(), stepped_up_at = now(), last_seen_at = now(), renewals = renewals + 1';
  await goOn(session, held, token, change);
}

/** The session goes on under a new token: a copy of the one before is worth nothing, and did not step up. */
export async function stepUp(session: TenantSession, held: HeldSession, token: string): Promise<void> {
  await goOn(session, held, token, 'stepped_up_at = now()');
}

/**
 * The session goes on under a new token, with what it has proven: a copy of the one before is worth nothing, and what it began to read
 * ends (see `findRoles`).
 */
export async function renewToken(session: TenantSession, held: HeldSession, token: string): Promise<void> {
  await goOn(session, held, token, 'renewals = renewals + 1');
}

/**
 * Throws `unauthorized` where the session has ended meanwhile, or goes on under another token: the request came by a copy.
 *
 * @param change what else becomes of the session
 */
async function goOn(session: TenantSession, held: HeldSession, token: string, change: string): Promise<void> {
  const rows = await session.query({
    text: `update sessions s set token_hash = $3, ${change} where ${isHeld} returning id`,
    values: [...valuesOf(held), hashToken(token)],
  });
  if (rows.length === 0) throw new Refusal('unauthorized');
}
