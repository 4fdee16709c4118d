import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashToken, isOpen } from './sessions.ts';

/** A session as the request presented it. */
export interface HeldSession {
  readonly id: string;
  readonly token: string;
}

/** SQL of a session `s`: whether it is open and matches `valuesOf`. */
const isHeld = `id = $1 and token_hash = $2 and ${isOpen}`;

const valuesOf = ({ id, token }: HeldSession) => [id, hashToken(token)] as const;

/**
 * Whether the session is open under this token: the previous token no longer works. With the account locked, it stays
 * open until the transaction ends.
 */
export async function isSessionOpen(session: TenantSession, held: HeldSession): Promise<boolean> {
  const rows = await session.query({
    text: `select from sessions s where ${isHeld}`,
    values: valuesOf(held),
  });
  return rows.length > 0;
}

/**
 * Completes a sign-in with a second factor. The session gets a new token, which makes a leaked one useless. A person's
 * first factor also ends everything that is being read with the previous token.
 */
export async function completeSignIn(session: TenantSession, held: HeldSession, token: string) {
  const change =
    'second_factor_at = now(), stepped_up_at = now(), last_seen_at = now(), renewals = renewals + 1';
  await goOn(session, held, token, change);
}

/** The session gets a new token: a copy of the previous one is useless, and did not step up. */
export async function stepUp(session: TenantSession, held: HeldSession, token: string): Promise<void> {
  await goOn(session, held, token, 'stepped_up_at = now()');
}

/**
 * The session keeps its proofs under a new token: a copy of the previous one is useless, and reads that were started
 * with it end (see `findRoles`).
 */
export async function renewToken(session: TenantSession, held: HeldSession, token: string): Promise<void> {
  await goOn(session, held, token, 'renewals = renewals + 1');
}

/**
 * Throws `unauthorized` if the session has ended meanwhile, or the request used a previous token.
 *
 * @param change further changes of the session
 */
async function goOn(session: TenantSession, held: HeldSession, token: string, change: string): Promise<void> {
  const rows = await session.query({
    text: `update sessions s set token_hash = $3, ${change} where ${isHeld} returning id`,
    values: [...valuesOf(held), hashToken(token)],
  });
  if (rows.length === 0) throw new Refusal('unauthorized', {}, { because: { reason: 'session_ended' } });
}
