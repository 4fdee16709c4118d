import type { TenantSession } from './tenant-store.ts';

/** Whether the time is in the future and at most this many days away, by the database's clock. */
export async function isWithinDays(session: TenantSession, until: Date, days: number): Promise<boolean> {
  // JavaScript cannot represent leap seconds, and PostgreSQL has no year 0.
  if (!(until.getTime() > 0)) return false;
  const rows = await session.query<{ ok: boolean }>({
    text: `select $1::timestamptz > now() and $1::timestamptz <= now() + make_interval(days => $2) as ok`,
    values: [until.toISOString(), days],
  });
  return rows[0]!.ok;
}
