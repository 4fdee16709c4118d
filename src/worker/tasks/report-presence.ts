import type { TenantTransaction } from '../../database/tenant-store.ts';
import { takeChangedPresence } from '../../resources/probes/presence.ts';
import { endUnfinishedAssessments } from '../../resources/probes/probe-scans.ts';
import { lockAuthorizedSource } from '../../resources/scans/scans.ts';
import { inspectOwn } from '../../scan/inspect-own.ts';
import { saveOwnScan } from './save-own-scan.ts';

/** Assesses how the probe of a source reports, in a separate scan, if that has changed: no event of the probe does. */
export async function reportPresence(transaction: TenantTransaction, sourceId: string): Promise<void> {
  const source = await lockAuthorizedSource(transaction, sourceId);
  const presence = source && (await takeChangedPresence(transaction, sourceId));
  if (!presence) return;
  if (presence.silentSeconds !== null) await endUnfinishedAssessments(transaction, sourceId);
  const inspection = inspectOwn('probe', sourceId, {
    probe: presence.probe,
    collected_at: presence.now,
    interval_seconds: presence.intervalSeconds,
    omits_source: presence.omitsSource,
    silent_seconds: presence.silentSeconds,
  });
  await saveOwnScan(transaction, source, presence.now, inspection);
}
