import type { TenantTransaction } from '../../database/tenant-store.ts';
import { auditReopened } from '../../resources/findings/triage.ts';
import {
  type ChangedPresence,
  markSilent,
  type ProbeState,
  presentState,
  sourcesOfProbe,
} from '../../resources/probes/presence.ts';
import { endUnfinishedAssessments } from '../../resources/probes/probe-scans.ts';
import { lockAuthorizedSource } from '../../resources/scans/scans.ts';
import { inspectOwn } from '../../scan/inspect-own.ts';
import { saveOwnScan } from './save-own-scan.ts';

/** Opens a finding on each source of a silent probe. Does nothing if the probe has reported meanwhile. */
export async function reportSilence(transaction: TenantTransaction, probeId: string): Promise<void> {
  const probe = await markSilent(transaction, probeId);
  if (probe) await reportPresence(transaction, await sourcesOfProbe(transaction, probeId), probe);
}

/** Reports the sources on which a heartbeat says that the probe reports again, or no longer does. */
export async function reportChangedPresence(
  transaction: TenantTransaction,
  probeId: string,
  { returned, missing }: ChangedPresence,
): Promise<void> {
  if (returned.length + missing.length === 0) return;
  const probe = await presentState(transaction, probeId);
  await reportPresence(transaction, returned, probe);
  for (const { id, silentSeconds } of missing) {
    await reportPresence(transaction, [id], { ...probe, omitsSource: true, silentSeconds });
  }
}

/**
 * Assesses how the probe of each source reports, in a separate scan: no event of the probe does.
 *
 * @param sourceIds in the order in which they are locked
 */
async function reportPresence(
  transaction: TenantTransaction,
  sourceIds: readonly string[],
  probe: ProbeState & { readonly omitsSource?: true },
): Promise<void> {
  const capture = {
    probe: probe.name,
    interval_seconds: probe.intervalSeconds,
    omits_source: probe.omitsSource ?? false,
    silent_seconds: probe.silentSeconds,
  };
  const reopened: string[] = [];
  for (const id of sourceIds) {
    const source = await lockAuthorizedSource(transaction, id);
    if (!source) continue;
    if (probe.silentSeconds !== null) await endUnfinishedAssessments(transaction, id);
    const inspection = inspectOwn('probe', id, capture);
    reopened.push(...(await saveOwnScan(transaction, source, probe.now, inspection)));
  }
  await auditReopened(transaction, reopened);
}
