import type { AssessmentEvent } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { finishScanIfDone } from '../scans/end-scan.ts';
import { endUnfinishedRuns } from '../scans/scan-runs.ts';
import { lockAuthorizedSource, type ScanSource } from '../scans/scans.ts';
import { startScan } from '../scans/start-scan.ts';
import type { Ignored, Probe } from './probes.ts';

/** Assessments of a source by a key that become scans within 24 hours: one a minute. More come from a compromised probe. */
const mostPerDay = 1_440;

/** The source that an assessment may change, locked, or why it may not. */
export async function lockAssessedSource(
  transaction: TenantTransaction,
  probe: Probe,
  sourceId: string,
): Promise<ScanSource | Ignored> {
  const source = await lockAuthorizedSource(transaction, sourceId);
  if (source?.system_id === probe.systemId) {
    return source.connection_mode === 'probe' ? source : 'source_not_probe_mode';
  }
  const known = await transaction.query({
    text: 'select from sources where id = $1 and system_id = $2',
    values: [sourceId, probe.systemId],
  });
  return known.length > 0 ? 'source_not_authorized' : 'source_unknown';
}

/**
 * The scan of an assessment: the first of its events creates it, with a run for each detector. An unfinished scan of an
 * earlier assessment ends, since its results no longer come. The source must be locked.
 *
 * Or why there is none.
 *
 * @param detectors the planned ones that this service has
 * @param startedAt by the database's clock
 */
export async function scanOfAssessment(
  transaction: TenantTransaction,
  probe: Probe,
  {
    source,
    event,
    detectors,
    startedAt,
  }: {
    readonly source: ScanSource;
    readonly event: AssessmentEvent;
    readonly detectors: readonly string[];
    readonly startedAt: string;
  },
): Promise<{ readonly scanId: string } | Ignored> {
  const known = await transaction.query<{ scan_id: string; probe_id: string }>({
    text: 'select scan_id, probe_id from probe_assessments where source_id = $1 and assessment_id = $2',
    values: [source.id, event.assessment_id],
  });
  if (known[0]) return known[0].probe_id === probe.id ? { scanId: known[0].scan_id } : 'assessment_of_other';
  const [recent] = await transaction.query<{ assessments: number }>({
    text: `select count(*)::int as assessments from probe_assessments
      where source_id = $1 and key_id = $2 and received_at > now() - interval '1 day'`,
    values: [source.id, probe.keyId],
  });
  if (recent!.assessments >= mostPerDay) return 'too_many_assessments';
  await endUnfinishedAssessments(transaction, source.id);
  const scanId = await startScan(transaction, { sourceId: source.id, detectors, startedAt, isOwn: false });
  await transaction.query({
    text: `insert into probe_assessments (source_id, assessment_id, scan_id, probe_id, probe_version, key_id)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [source.id, event.assessment_id, scanId, probe.id, event.probe.version, probe.keyId],
  });
  return { scanId };
}

/** Ends the scans of earlier assessments of the source whose results did not all arrive. */
export async function endUnfinishedAssessments(
  transaction: TenantTransaction,
  sourceId: string,
): Promise<void> {
  const unfinished = await transaction.query<{ scan_id: string }>({
    text: `select a.scan_id from probe_assessments a join scans s on s.id = a.scan_id
      where a.source_id = $1 and s.source_id = $1 and s.finished_at is null order by a.scan_id`,
    values: [sourceId],
  });
  for (const { scan_id } of unfinished) {
    await endUnfinishedRuns(
      transaction,
      { scanId: scan_id },
      { status: 'failed', cause: 'report_incomplete' },
    );
    await finishScanIfDone(transaction, scan_id);
  }
}
