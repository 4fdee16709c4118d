import { createHash, randomInt } from 'node:crypto';
import type { SavePreferences } from '../../contract/dashboard/notifications.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { isTimeZone } from '../../domain/quiet-hours.ts';
import { Refusal } from '../../domain/refusal.ts';
import { nextDigest } from './digests.ts';

// Preferences of a person for all organizations, with the role of the system.

/** Throws `invalid_body` for an unknown time zone. */
export function assertTimeZone(name: string): void {
  if (isTimeZone(name)) return;
  throw new Refusal('invalid_body', {
    fields: [{ path: 'time_zone', message: 'must be a time zone such as Europe/Berlin' }],
  });
}

/** Columns of `person_preferences`; null without a row. */
export interface StoredPreferences {
  readonly time_zone: string | null;
  readonly quiet_from: number | null;
  readonly quiet_until: number | null;
  readonly quiet_except_critical: boolean | null;
}

export function preferencesOf(stored: StoredPreferences): SavePreferences {
  const { time_zone, quiet_from: from, quiet_until: until, quiet_except_critical } = stored;
  return {
    time_zone: time_zone ?? 'UTC',
    quiet_hours:
      from === null || until === null
        ? null
        : { from, until, except_critical: quiet_except_critical ?? true },
  };
}

/** Digests move to the local time of the new zone. */
export async function savePreferences(
  session: TenantSession,
  personId: string,
  { time_zone, quiet_hours }: SavePreferences,
): Promise<void> {
  assertTimeZone(time_zone);
  await session.query({
    text: `with saved as (
        insert into person_preferences (person_id, time_zone, quiet_from, quiet_until, quiet_except_critical)
        values ($1, $2, $3, $4, coalesce($5, true))
        on conflict (person_id) do update set time_zone = excluded.time_zone, quiet_from = excluded.quiet_from,
          quiet_until = excluded.quiet_until, quiet_except_critical = excluded.quiet_except_critical)
      update notification_settings set next_digest_at = ${nextDigest('digest', '$2::text')} where person_id = $1`,
    values: [
      personId,
      time_zone,
      quiet_hours?.from ?? null,
      quiet_hours?.until ?? null,
      quiet_hours?.except_critical ?? null,
    ],
  });
}

const validMinutes = 30;
const mostTries = 5;

/** A new code for the address of the account, stored as a hash. It replaces the one before. */
export async function makeCode(session: TenantSession, personId: string): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await session.query({
    text: `insert into person_preferences (person_id, code_hash, code_email, code_expires_at)
      select id, $2, email, now() + interval '${validMinutes} minutes' from people where id = $1
      on conflict (person_id) do update set code_hash = excluded.code_hash, code_email = excluded.code_email,
        code_expires_at = excluded.code_expires_at, code_tries = 0`,
    values: [personId, hashOf(personId, code)],
  });
  return code;
}

/**
 * Confirms the address to which the code was sent, if it is still that of the account. Throws `code_incorrect`: after five tries, or thirty
 * minutes, another code is needed.
 */
export async function confirmAddress(session: TenantSession, personId: string, code: string): Promise<void> {
  // The try counts whether or not the code is correct.
  const [tried] = await session.query<{ matches: boolean }>({
    text: `update person_preferences f set code_tries = code_tries + 1 from people p
      where f.person_id = $1 and p.id = $1 and code_hash is not null and code_tries < ${mostTries} and code_expires_at > now()
        and lower(f.code_email collate "C") = lower(p.email collate "C")
      returning code_hash = $2 as matches`,
    values: [personId, hashOf(personId, code)],
  });
  if (!tried?.matches) throw new Refusal('code_incorrect');
  await session.query({
    text: `update person_preferences set confirmed_email = code_email, code_hash = null, code_email = null, code_expires_at = null
      where person_id = $1 and code_hash = $2`,
    values: [personId, hashOf(personId, code)],
  });
}

/** A hash of six digits is found by trying all: it protects only from reading the code by mistake. Its few tries protect it from guessing. */
const hashOf = (personId: string, code: string): Buffer =>
  createHash('sha256').update(`${personId} ${code}`).digest();
