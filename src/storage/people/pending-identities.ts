import { randomBytes } from 'node:crypto';
import { Refusal } from '../../domain/refusal.ts';
import type { TenantSession } from '../tenant-store.ts';
import type { Identity } from './identities.ts';
import { hashToken, isToken } from './sessions.ts';

/** Minutes within which the person decides. */
const validMinutes = 10;

export type IdentityPurpose = 'sign_in' | 'link' | 'step_up';

interface PendingIdentity extends Identity {
  readonly purpose: IdentityPurpose;
}

/** Keeps whom the provider has just vouched for until the person's page decides. Returns the token for the cookie. */
export async function keepPendingIdentity(
  session: TenantSession,
  { purpose, issuer, subject, email, name }: PendingIdentity,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await session.query({
    text: `insert into pending_identities (token_hash, purpose, issuer, subject, email, name, expires_at)
      values ($1, $2, $3, $4, $5, $6, now() + interval '${validMinutes} minutes')`,
    values: [hashToken(token), purpose, issuer, subject, email, name],
  });
  return token;
}

const columns = 'purpose, issuer, subject, email, name';

export async function findPendingIdentity(
  session: TenantSession,
  token: string,
): Promise<PendingIdentity | undefined> {
  if (!isToken(token)) return undefined;
  const rows = await session.query<PendingIdentity>({
    text: `select ${columns} from pending_identities where token_hash = $1 and expires_at > now()`,
    values: [hashToken(token)],
  });
  return rows[0];
}

/** Nobody decides on it any more. */
export async function dropPendingIdentity(session: TenantSession, token: string): Promise<void> {
  await session.query({
    text: 'delete from pending_identities where token_hash = $1',
    values: [hashToken(token)],
  });
}

/** Once. Throws `link_invalid` where there is none, or it was kept for another purpose. */
export async function takePendingIdentity(
  session: TenantSession,
  token: string | undefined,
  purposes: readonly IdentityPurpose[],
): Promise<PendingIdentity> {
  const rows =
    token === undefined
      ? []
      : await session.query<PendingIdentity>({
          text: `delete from pending_identities where token_hash = $1 and expires_at > now() and purpose = any($2)
            returning ${columns}`,
          values: [hashToken(token), purposes],
        });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0];
}
