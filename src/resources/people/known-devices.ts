import type { TenantSession } from '../../database/tenant-store.ts';
import { hashToken } from './sessions.ts';

/** Devices that are kept for a person: beyond this, the least recently used are removed. */
const most = 20;

/** The token of this browser that belongs to the person; undefined if they have not completed a sign-in with it. */
export async function findKnownDevice(session: TenantSession, personId: string, tokens: readonly string[]) {
  const rows = await session.query<{ token_hash: Buffer }>({
    name: 'find-known-device',
    text: 'select token_hash from known_devices where person_id = $1 and token_hash = any($2::bytea[])',
    values: [personId, tokens.map(hashToken)],
  });
  return tokens.find(token => rows.some(row => row.token_hash.equals(hashToken(token))));
}

/** @param before the browser's previous token, which is replaced */
export async function rememberDevice(
  session: TenantSession,
  personId: string,
  token: string,
  before?: string,
): Promise<void> {
  await session.query({
    text: `with replaced as (delete from known_devices where person_id = $1 and token_hash = $3)
      insert into known_devices (person_id, token_hash) values ($1, $2)`,
    values: [personId, hashToken(token), before === undefined ? null : hashToken(before)],
  });
  await session.query({
    text: `delete from known_devices where person_id = $1 and token_hash in
      (select token_hash from known_devices where person_id = $1 order by last_used_at desc offset ${most})`,
    values: [personId],
  });
}

/** @param kept the token of the browser that stays known */
export async function forgetDevices(session: TenantSession, personId: string, kept?: string): Promise<void> {
  await session.query({
    text: 'delete from known_devices where person_id = $1 and token_hash is distinct from $2',
    values: [personId, kept === undefined ? null : hashToken(kept)],
  });
}
