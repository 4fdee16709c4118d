import type { Overview } from '../../contract/dashboard/overview.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { postureTrend } from '../../domain/posture-trend.ts';
import { countOverdue } from '../findings/due-policy.ts';
import { readFixFirst } from '../findings/fix-first.ts';
import type { ScanningService } from '../scans/request-scan.ts';
import { listRunningScans } from '../scans/scan-list.ts';
import { listAttention } from '../sources/source-list.ts';
import { listPostureScores } from './posture.ts';

/** Days of the trend, and the number of scans and sources listed. */
const trendDays = 90;
const most = 10;

interface Reader {
  /** Changes are counted from this time; null counts none. */
  readonly since: string | null;
  readonly isOwner: boolean;
  readonly personId: string;
}

export async function readOverview(
  store: TenantStore,
  { since, isOwner, personId }: Reader,
  service: ScanningService,
): Promise<Overview> {
  return store.read(async session => {
    const [scores, totals, running, changes, fix_first, backup, overdue] = await Promise.all([
      listPostureScores(session, trendDays + 1),
      countObjects(session),
      listRunningScans(session, most),
      countChanges(session, since),
      readFixFirst(session),
      isOwner ? readLastBackup(session) : null,
      countOverdue(session, personId),
    ]);
    // Every change updates the newest score.
    const { score, sources, critical, high, medium, low, info } = scores[0] ?? noScore;
    // Only sources that are not disconnected have a posture, once they were scanned.
    const not_scanned = totals.sources - sources;
    const attention = await listAttention(session, most, not_scanned > 0, service);
    return {
      score,
      open: { critical, high, medium, low, info },
      fix_first,
      ...overdue,
      trend: postureTrend(scores, new Date(), trendDays),
      running,
      attention: attention.rows,
      attention_total: attention.total,
      changes: { since, ...changes },
      ...totals,
      not_scanned,
      backup,
    };
  });
}

/** Of the whole installation. */
async function readLastBackup(session: TenantSession): Promise<Overview['backup']> {
  const rows = await session.query<{ last_at: string | null }>({
    text: 'select max(made_at) as last_at from backups',
  });
  return rows[0]!;
}

const noScore = { score: null, sources: 0, critical: 0, high: 0, medium: 0, low: 0, info: 0 };

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
  const rows = await session.query<Pick<Overview, 'systems' | 'sources' | 'scans'>>({
    text: `select (select count(*) from systems)::int as systems,
      (select count(*) from sources where status <> 'disconnected')::int as sources,
      (select count(*) from (select from scans where not is_own limit 1000) as found)::int as scans`,
  });
  return rows[0]!;
}
