import { randomBytes } from 'node:crypto';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Identity } from './identities.ts';
import { hashToken, isToken } from './sessions.ts';

/** Minutes until the person must have decided; a step-up continues without a decision. */
const validMinutes = { sign_in: 10, link: 10, step_up: 1 };

/** The purpose of a redirect to the provider. */
export interface IdentityErrand {
  readonly purpose: 'sign_in' | 'link' | 'step_up';
  /**
   * The session that links or steps up, since another person may use the browser after the redirect. Null for a
   * sign-in.
   */
  readonly sessionId: string | null;
}

interface PendingIdentity extends Identity, IdentityErrand {}

/** Stores the identity asserted by the provider until the person's page continues. Returns its token. */
export async function keepPendingIdentity(
  session: TenantSession,
  { purpose, sessionId, issuer, subject, email, name }: PendingIdentity,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await session.query({
    text: `insert into pending_identities (token_hash, purpose, session_id, issuer, subject, email, name, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`,
    values: [hashToken(token), purpose, sessionId, issuer, subject, email, name, validMinutes[purpose]],
  });
  return token;
}

const columns = 'purpose, session_id as "sessionId", issuer, subject, email, name';

/** SQL of a pending identity with the token `$1` and the session `$2`, which is null if there is none. */
const isTheirs = 'token_hash = $1 and expires_at > now() and (session_id is null or session_id = $2)';

export async function findPendingIdentity(session: TenantSession, token: string, sessionId: string | null) {
  if (!isToken(token)) return undefined;
  const rows = await session.query<PendingIdentity>({
    text: `select ${columns} from pending_identities where ${isTheirs}`,
    values: [hashToken(token), sessionId],
  });
  return rows[0];
}

/** Works once. Throws `link_invalid` if there is none, or it is for another purpose or session. */
export async function takePendingIdentity(
  session: TenantSession,
  token: string,
  sessionId: string | null,
  purposes: readonly IdentityErrand['purpose'][],
): Promise<PendingIdentity> {
  const rows = await session.query<PendingIdentity>({
    text: `delete from pending_identities where ${isTheirs} and purpose = any($3) returning ${columns}`,
    values: [hashToken(token), sessionId, purposes],
  });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0];
}
