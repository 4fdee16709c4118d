import type { TenantSession } from '../../database/tenant-store.ts';
import { keptDays } from './sessions.ts';
import { freeAttempts } from './sign-in-attempts.ts';

/** Deletes expired data: old attempts, counts of changes, sessions that ended long ago, and unusable links. */
export async function forgetOldSignIns(session: TenantSession): Promise<void> {
  await session.query({
    text: `delete from sign_in_attempts where last_attempt_at < now() - interval '7 days'
      or failures <= ${freeAttempts} and last_attempt_at < now() - interval '1 day'`,
  });
  await session.query({
    text: `delete from sessions where last_seen_at < now() - interval '${keptDays} days'`,
  });
  await session.query({ text: 'delete from pending_identities where expires_at < now()' });
  await session.query({ text: 'delete from spent_challenges where expires_at < now()' });
  await session.query({ text: 'delete from change_counts where ends_at < now()' });
  await session.query({
    text: "delete from known_devices where last_used_at < now() - interval '400 days'",
  });
  await session.query({
    text: "delete from one_time_links where expires_at < now() - interval '30 days'",
  });
}
