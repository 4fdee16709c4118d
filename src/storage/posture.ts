import type { Severity } from '../contract/severity.ts';
import { type OpenFindings, organizationScore, totalOpen } from '../domain/posture-score.ts';
import type { TenantStore, TenantTransaction } from './tenant-store.ts';

const noFindings: OpenFindings = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/**
 * Counts the open findings of sources anew and brings today's score of the organization up to date. Called, with the
 * sources' rows locked, by every transaction that opens, resolves or decides on findings; a disconnected source counts
 * no longer.
 */
export async function recordPosture(transaction: TenantTransaction, ...sourceIds: string[]): Promise<void> {
  for (const sourceId of sourceIds) await countSource(transaction, sourceId);
  // The day's row orders those who write it: who comes second counts what the first has written.
  await transaction.query({
    text: `insert into posture_scores (day, score, sources, critical, high, medium, low, info)
      values ((now() at time zone 'UTC')::date, null, 0, 0, 0, 0, 0, 0)
      on conflict (organization_id, day) do update set recorded_at = now()`,
  });
  const sources = await transaction.query<Record<Severity, number>>({
    text: 'select critical, high, medium, low, info from source_postures',
  });
  const open = totalOpen(sources);
  await transaction.query({
    text: `update posture_scores set score = $1, sources = $2, critical = $3, high = $4, medium = $5, low = $6,
        info = $7, recorded_at = now()
      where day = (now() at time zone 'UTC')::date`,
    values: [
      organizationScore(sources) ?? null,
      sources.length,
      open.critical,
      open.high,
      open.medium,
      open.low,
      open.info,
    ],
  });
}

async function countSource(transaction: TenantTransaction, sourceId: string): Promise<void> {
  const [source] = await transaction.query<{ counts: boolean }>({
    text: `select status <> 'disconnected' as counts from sources where id = $1`,
    values: [sourceId],
  });
  if (!source?.counts) {
    await transaction.query({ text: 'delete from source_postures where source_id = $1', values: [sourceId] });
    return;
  }
  const rows = await transaction.query<{ severity: Severity; open: number }>({
    text: `select severity, count(*)::int as open from findings where source_id = $1 and status = 'open'
      group by severity`,
    values: [sourceId],
  });
  const open = { ...noFindings, ...Object.fromEntries(rows.map(row => [row.severity, row.open])) };
  await transaction.query({
    text: `insert into source_postures (source_id, critical, high, medium, low, info)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (organization_id, source_id) do update set critical = excluded.critical, high = excluded.high,
        medium = excluded.medium, low = excluded.low, info = excluded.info`,
    values: [sourceId, open.critical, open.high, open.medium, open.low, open.info],
  });
}

/** An organization's posture at the end of a day, or now where the day still lasts. */
export interface PostureScore {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  /** 0 to 100; see `organizationScore`. Null when no source had been looked at. */
  readonly score: number | null;
  readonly sources: number;
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  readonly info: number;
}

/** The last days on which something changed, newest first. A day without a row stood as the one before it. */
export async function listPostureScores(store: TenantStore, days: number): Promise<PostureScore[]> {
  return store.queryOnce<PostureScore>({
    text: `select to_char(day, 'YYYY-MM-DD') as day, score, sources, critical, high, medium, low, info
      from posture_scores order by posture_scores.day desc limit $1`,
    values: [days],
  });
}
