import type { Scan } from '../../contract/scans.ts';
import type { TenantSession } from '../../database/tenant-store.ts';

/** The request that a scan was created for. */
export interface ScanPurpose {
  readonly profile: Scan['profile'];
  /** The check of the finding to verify; null for a scan of everything. */
  readonly category: string | null;
  /** The locator of that finding. */
  readonly place: string | null;
}

/** The purpose of the scan, its status, and the database's time. The scan must exist. */
export async function findScanPurpose(
  session: TenantSession,
  scanId: string,
): Promise<{ purpose: ScanPurpose; status: Scan['status']; now: string }> {
  const rows = await session.query<ScanPurpose & { status: Scan['status']; now: string }>({
    name: 'find-scan-purpose',
    text: `select s.profile, s.status, f.category, f.locator as place, now()::timestamptz(3) as now
      from scans s left join findings f on f.id = s.finding_id where s.id = $1`,
    values: [scanId],
  });
  const { status, now, ...purpose } = rows[0]!;
  return { purpose, status, now };
}
