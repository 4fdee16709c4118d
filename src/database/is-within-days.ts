import type { TenantSession } from './tenant-store.ts';

/** Whether the time is in the future, and at most so many days away, by the database's clock. */
export async function isWithinDays(session: TenantSession, until: Date, days: number): Promise<boolean> {
  // A leap second is a time of ISO 8601 and none of JavaScript; the year 0 is one of both, and none of PostgreSQL.
  if (!(until.getTime() > 0)) return false;
  const rows = await session.query<{ ok: boolean }>({
    text: `select $1::timestamptz > now() and $1::timestamptz <= now() + make_interval(days => $2) as ok`,
    values: [until.toISOString(), days],
  });
  return rows[0]!.ok;
}
