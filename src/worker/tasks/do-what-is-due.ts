import { appendPendingAudit } from '../../database/audit.ts';
import { briefTransaction } from '../../database/brief-transaction.ts';
import { expireAcceptance } from '../../resources/findings/triage.ts';
import { markSilent } from '../../resources/probes/presence.ts';
import { startWatchedScans } from '../../resources/sources/watches.ts';
import { assessShield } from './assess-shield.ts';
import { atOnce, attemptEach, type DueServices } from './attempt-each.ts';
import { reportPresence } from './report-presence.ts';

/**
 * Milliseconds that agents need to reach a service that was down: their longest pause. Those that could not are not
 * silent.
 */
const reconnectMs = 300_000;

/**
 * Ends the acceptances and starts the Watch scans that are due, and appends pending entries to audit logs, in
 * all organizations. Every worker does this, so each item is checked again with its row locked.
 *
 * @param continuousMs for how long the service has run without a gap
 */
export async function doWhatIsDue(services: DueServices, continuousMs: number): Promise<void> {
  const { system } = services.storage;
  const pending = await system.due.pendingAudits(atOnce);
  await attemptEach(services, 'audit.still_pending', pending, async store => {
    await store.queryOnce(appendPendingAudit);
  });
  const acceptances = await system.due.acceptances(atOnce);
  await attemptEach(services, 'acceptance.not_ended', acceptances, async (store, { findingId }) => {
    await briefTransaction(store, transaction => expireAcceptance(transaction, findingId));
  });
  const canBeSilent = continuousMs >= reconnectMs;
  const silent = canBeSilent ? await system.due.silentProbes(atOnce) : [];
  await attemptEach(services, 'probe.silence_not_marked', silent, async (store, { probeId }) => {
    await briefTransaction(store, transaction => markSilent(transaction, probeId));
  });
  const changed = await system.due.changedPresences(atOnce, { canBeSilent });
  await attemptEach(services, 'probe.presence_not_reported', changed, async (store, { sourceId }) => {
    await briefTransaction(store, transaction => reportPresence(transaction, sourceId));
  });
  const shields = await system.due.shields(atOnce);
  await attemptEach(services, 'shield.not_assessed', shields, async (store, { sourceId }) => {
    await briefTransaction(store, transaction => assessShield(transaction, sourceId, canBeSilent));
  });
  const watches = await system.due.watches(atOnce);
  await attemptEach(services, 'watch.not_started', inBatches(watches), async (store, { sourceIds }) => {
    await startWatchedScans(store, sourceIds, services);
  });
}

/** Scans that start in one transaction: its locks delay requests of scans. */
const scansTogether = 50;

function inBatches(watches: readonly { readonly organizationId: string; readonly sourceId: string }[]) {
  const last = new Map<string, string[]>();
  const batches: { organizationId: string; sourceIds: string[] }[] = [];
  for (const { organizationId, sourceId } of watches) {
    let sourceIds = last.get(organizationId);
    if (sourceIds === undefined || sourceIds.length === scansTogether) {
      sourceIds = [];
      last.set(organizationId, sourceIds);
      batches.push({ organizationId, sourceIds });
    }
    sourceIds.push(sourceId);
  }
  return batches;
}
