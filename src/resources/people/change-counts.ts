import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/**
 * Limits the changes of a holder, such as a person, a session or an organization, on all nodes together. Each change adds an entry to an
 * audit log that is never deleted, so without a limit a member or a stolen session could fill the disk.
 */
export interface ChangeLimit {
  /** What is counted, such as `triage of person`. */
  readonly name: string;
  readonly most: number;
  /** Length of the window, from the first change of a holder. */
  readonly seconds: number;
}

/**
 * Counts changes before they are made, so that parallel requests and closed connections count too. Throws `too_many_changes`, without
 * counting any of them, if they exceed the limit.
 *
 * @param changes number of changes that the request makes
 */
export async function countChanges(
  session: TenantSession,
  { name, most, seconds }: ChangeLimit,
  holder: string,
  changes = 1,
): Promise<void> {
  const place = `${name} ${holder}`;
  const counted = await session.query({
    name: 'count-changes',
    text: `insert into change_counts as known (holder, ends_at, changes)
      select $1, now() + make_interval(secs => $2::int), $3::int where $3::int <= $4::int
      on conflict (holder) do update set
        ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end,
        changes = case when known.ends_at <= now() then 0 else known.changes end + excluded.changes
        where known.ends_at <= now() or known.changes + excluded.changes <= $4::int
      returning holder`,
    values: [place, seconds, changes, most],
  });
  if (counted.length > 0) return;
  const [left] = await session.query<{ seconds: number }>({
    text: 'select ceil(extract(epoch from ends_at - now()))::int as seconds from change_counts where holder = $1',
    values: [place],
  });
  throw new Refusal('too_many_changes', { retry_after_seconds: Math.max(1, left?.seconds ?? seconds) });
}
