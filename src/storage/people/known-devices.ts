import type { TenantSession } from '../tenant-store.ts';
import { hashToken } from './sessions.ts';

/** Devices that are kept for a person: of more, those that were not used for longest go. */
const most = 20;

/** Whether the person has completed a sign-in in the browser with this token. */
export async function isKnownDevice(
  session: TenantSession,
  personId: string,
  token: string | undefined,
): Promise<boolean> {
  const rows = await session.query({
    name: 'is-known-device',
    text: 'select from known_devices where person_id = $1 and token_hash = $2',
    values: [personId, hashToken(token ?? '')],
  });
  return token !== undefined && rows.length > 0;
}

export async function rememberDevice(session: TenantSession, personId: string, token: string): Promise<void> {
  await session.query({
    text: `insert into known_devices as d (person_id, token_hash) values ($1, $2)
      on conflict (person_id, token_hash) do update set last_used_at = now()`,
    values: [personId, hashToken(token)],
  });
  await session.query({
    text: `delete from known_devices where person_id = $1 and token_hash in
      (select token_hash from known_devices where person_id = $1 order by last_used_at desc offset ${most})`,
    values: [personId],
  });
}

export async function forgetDevices(session: TenantSession, personId: string): Promise<void> {
  await session.query({ text: 'delete from known_devices where person_id = $1', values: [personId] });
}
