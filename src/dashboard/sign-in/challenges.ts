import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { KeyRing } from '../../resources/credentials/key-ring.ts';

/** Default and maximum lifetime of a challenge, in seconds. */
const validSeconds = 300;
const longestSeconds = 600;

/**
 * Issues a stateless challenge that any node can verify, so that requests cannot fill the database: a random part, its
 * expiry, and a MAC under the master key.
 *
 * @param purpose a response for one purpose is invalid for another
 * @param seconds lifetime, at most 600
 */
export async function issueChallenge(
  ring: KeyRing,
  purpose: string,
  seconds = validSeconds,
): Promise<string> {
  const { id, key } = await ring.current();
  const expires = Math.floor(Date.now() / 1000) + Math.min(seconds, longestSeconds);
  const content = [randomBytes(16).toString('base64url'), expires.toString(36), id].join('.');
  return `${content}.${macOf(key, purpose, content)}`;
}

/** Whether the challenge was issued for the purpose and has not expired. It may already be spent. */
export async function isChallenge(ring: KeyRing, purpose: string, challenge: string): Promise<boolean> {
  const [random, expires, id, mac, ...more] = challenge.split('.');
  if (!random || !expires || !id || !mac || more.length > 0) return false;
  const master = await ring.find(id);
  if (!master) return false;
  const expected = Buffer.from(macOf(master.key, purpose, [random, expires, id].join('.')));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return Number.parseInt(expires, 36) > Date.now() / 1000;
}

/** Whether the challenge was spent on any node. */
export async function isSpent(session: TenantSession, challenge: string): Promise<boolean> {
  const rows = await session.query({
    text: 'select from spent_challenges where challenge_hash = $1',
    values: [hashOf(challenge)],
  });
  return rows.length > 0;
}

/** Spends a valid challenge. False if it was already spent on any node. */
export async function spendChallenge(session: TenantSession, challenge: string): Promise<boolean> {
  const rows = await session.query({
    text: `insert into spent_challenges (challenge_hash, expires_at)
      values ($1, now() + interval '${longestSeconds} seconds') on conflict do nothing returning expires_at`,
    values: [hashOf(challenge)],
  });
  return rows.length > 0;
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

function macOf(key: Parameters<typeof createHmac>[1], purpose: string, content: string): string {
  return createHmac('sha256', key).update(`parapet challenge|${purpose}|${content}`).digest('base64url');
}
