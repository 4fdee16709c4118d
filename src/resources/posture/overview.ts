import type { Overview } from '../../contract/dashboard/overview.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { postureTrend } from '../../domain/posture-trend.ts';
import type { ScanningService } from '../scans/request-scan.ts';
import { listRunningScans } from '../scans/scan-list.ts';
import { listAttention } from '../sources/source-list.ts';
import { listPostureScores, readPosture } from './posture.ts';

/** Days of the trend, and the number of scans and sources listed. */
const trendDays = 90;
const most = 10;

/** @param since changes are counted from this time; null counts none */
export async function readOverview(
  store: TenantStore,
  since: string | null,
  service: ScanningService,
): Promise<Overview> {
  const [scores, rest] = await Promise.all([
    listPostureScores(store, trendDays + 1),
    store.read(async session => {
      const [posture, running, attention, changes, totals] = await Promise.all([
        readPosture(session),
        listRunningScans(session, most),
        listAttention(session, most, service),
        countChanges(session, since),
        countObjects(session),
      ]);
      return {
        score: posture.score,
        open: posture.open,
        running,
        attention: attention.rows,
        attention_total: attention.total,
        changes: { since, ...changes },
        ...totals,
      };
    }),
  ]);
  return { ...rest, trend: postureTrend(scores, new Date(), trendDays) };
}

async function countChanges(session: TenantSession, since: string | null) {
  if (since === null) return { opened: 0, resolved: 0, reopened: 0, decided: 0 };
  const rows = await session.query<Omit<Overview['changes'], 'since'>>({
    text: `select
        (select count(*) from finding_episodes where opened_at > $1 and number = 1)::int as opened,
        (select count(*) from finding_episodes where opened_at > $1 and number > 1)::int as reopened,
        (select count(*) from finding_episodes where closed_at > $1)::int as resolved,
        (select count(*) from finding_decisions where decided_at > $1 and decision <> 'expired')::int as decided`,
    values: [since],
  });
  return rows[0]!;
}

async function countObjects(session: TenantSession) {
  const rows = await session.query<Pick<Overview, 'systems' | 'sources' | 'not_scanned' | 'scans'>>({
    text: `select (select count(*) from systems)::int as systems, count(*)::int as sources,
      (count(*) filter (where p.source_id is null))::int as not_scanned,
      (select count(*) from (select from scans where not is_own limit 1000) as found)::int as scans
      from sources s left join source_postures p on p.source_id = s.id where s.status <> 'disconnected'`,
  });
  return rows[0]!;
}
