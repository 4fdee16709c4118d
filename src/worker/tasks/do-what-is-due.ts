import { appendPendingAudit } from '../../database/audit.ts';
import { briefTransaction } from '../../database/brief-transaction.ts';
import { DatabaseUnavailable } from '../../database/outages.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { expireAcceptance } from '../../resources/findings/triage.ts';
import { markSilent } from '../../resources/probes/presence.ts';
import { deleteOldScans } from '../../resources/scans/retention.ts';
import { startWatchedScans } from '../../resources/sources/watches.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { assessShield } from './assess-shield.ts';
import { reportPresence } from './report-presence.ts';

/** Items of each kind in one turn. The rest is due in the next one. */
const atOnce = 500;

/**
 * An item usually takes a few milliseconds, a batch of Watch scans a few hundred; a slow one waits for locks or connections of its own
 * organization.
 */
const slowMs = 1_000;

/**
 * Milliseconds that agents need to reach a service that was down: their longest pause. Those that could not are not
 * silent.
 */
const reconnectMs = 300_000;

type DueServices = Pick<WorkerServices, 'storage' | 'log' | 'privilegedConnections'>;

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
  const retentions = await system.due.retentions(atOnce);
  await attemptEach(services, 'retention.not_applied', retentions, async store => {
    await store.transaction(deleteOldScans);
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

/**
 * The first failed or slow item of an organization ends its part of this turn: its other items would probably
 * fail or be slow too, and delay other organizations.
 */
async function attemptEach<Item extends { readonly organizationId: string }>(
  { storage, log }: DueServices,
  event: string,
  items: readonly Item[],
  work: (store: TenantStore, item: Item) => Promise<void>,
): Promise<void> {
  const ended = new Set<string>();
  for (const item of items) {
    const { organizationId } = item;
    if (ended.has(organizationId)) continue;
    const began = performance.now();
    try {
      await work(storage.tenant(organizationId, worker), item);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      ended.add(organizationId);
      log(event, { organization_id: organizationId, message: String(error) });
    }
    if (performance.now() - began > slowMs) ended.add(organizationId);
  }
}
