import type { AssessmentEvent, ProbeEvent } from '../../contract/probe-events.ts';
import type { ShieldEvent } from '../../contract/shield-events.ts';
import { briefTransaction } from '../../database/brief-transaction.ts';
import { DatabaseUnavailable } from '../../database/outages.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import {
  countAttempt,
  dropSuperseded,
  firstWaiting,
  type InboxPlace,
  inboxStart,
  leaveOutExcess,
  takeWaiting,
  type WaitingEvent,
} from '../../resources/events/inbox.ts';
import { recordInventory } from '../../resources/probes/inventory.ts';
import { recordHeartbeat } from '../../resources/probes/presence.ts';
import { lockAssessedSource, scanOfAssessment } from '../../resources/probes/probe-scans.ts';
import {
  countDropped,
  type Ignored,
  type Probe,
  probeOf,
  recordIgnored,
} from '../../resources/probes/probes.ts';
import { recordChanges } from '../../resources/probes/source-changes.ts';
import { finishScanIfDone } from '../../resources/scans/end-scan.ts';
import { lockUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { detectorsNamed } from '../../scan/plan.ts';
import { reportedInspection } from '../../scan/probe-report.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { reconcileAndSave } from './inspect-source.ts';
import { processShieldEvent } from './process-shield-event.ts';

/** Organizations of one turn, and the time after which the next one follows. */
const organizationsAtOnce = 200;
const turnMs = 1_000;

/** After this time, the events of another key follow: a key with many, or slow ones, does not delay the others. */
const keyMs = 100;

type EventServices = Pick<WorkerServices, 'storage' | 'log'>;

/** Where the next turn of an organization begins, by its id. */
export type InboxPlaces = Map<string, InboxPlace>;

/**
 * Processes waiting events of probes and of forwarders of Shield, in all organizations. Every worker does this; one at a time processes the events
 * of an organization, those of a key in the order in which they arrived.
 *
 * @param places of the turns of this worker
 */
export async function processEvents(services: EventServices, places: InboxPlaces = new Map()): Promise<void> {
  const waiting = await services.storage.system.due.pendingEvents(organizationsAtOnce);
  for (const { organizationId } of waiting) {
    const place = places.get(organizationId) ?? inboxStart;
    places.delete(organizationId);
    try {
      const next = await processEventsOf(services, organizationId, place);
      if (next) places.set(organizationId, next);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      services.log('events.not_processed', { organization_id: organizationId, err: error });
    }
  }
}

/** Returns where the next turn begins, unless nothing waits. */
async function processEventsOf(
  { storage, log }: EventServices,
  organizationId: string,
  start: InboxPlace,
): Promise<InboxPlace | undefined> {
  const store = storage.tenant(organizationId, worker);
  const end = performance.now() + turnMs;
  await briefTransaction(store, dropSuperseded);
  await briefTransaction(store, leaveOutExcess);
  const hindered = new Set<string>();
  let place = start;
  let keySince = performance.now();
  while (performance.now() < end) {
    const waiting = await firstWaiting(store, place, [...hindered]);
    if (!waiting) return undefined;
    const { keyId } = waiting;
    if (keyId !== place.keyId) keySince = performance.now();
    try {
      const asKey = storage.tenant(organizationId, { kind: 'key', id: keyId });
      const isMine = await briefTransaction(asKey, async transaction => {
        const taken = await takeWaiting(transaction, organizationId, waiting);
        if (taken && isShield(waiting)) await processShieldEvent(transaction, waiting);
        else if (taken) await processEvent(transaction, waiting as WaitingEvent<ProbeEvent>);
        return taken;
      });
      if (!isMine) return place;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const next = await briefTransaction(store, transaction => countAttempt(transaction, waiting, error));
      log(next === 'left_out' ? 'event.left_out' : 'event.not_processed', {
        organization_id: organizationId,
        system_id: waiting.systemId,
        event_id: waiting.event.id,
        kind: waiting.event.kind,
        err: error,
      });
      if (next === 'later') hindered.add(keyId);
    }
    const isSpent = performance.now() - keySince >= keyMs;
    place = { keyId, from: isSpent || hindered.has(keyId) ? 'next_key' : 'first' };
  }
  return { keyId: place.keyId, from: 'next_key' };
}

const isShield = (waiting: WaitingEvent): waiting is WaitingEvent<ShieldEvent> =>
  waiting.event.kind.startsWith('shield.');

async function processEvent(
  transaction: TenantTransaction,
  waiting: WaitingEvent<ProbeEvent>,
): Promise<void> {
  const { event } = waiting;
  const probe = await probeOf(transaction, waiting);
  if (!probe) return;
  switch (event.kind) {
    case 'probe.heartbeat':
      return recordHeartbeat(transaction, probe, event);
    case 'probe.assessment': {
      const ignored = await applyAssessment(transaction, probe, waiting, event);
      if (ignored) await recordIgnored(transaction, probe, ignored);
      return;
    }
    case 'probe.drift': {
      const source = await lockAssessedSource(transaction, probe, event.source_id);
      if (typeof source === 'string') await recordIgnored(transaction, probe, source);
      else await recordChanges(transaction, { sourceId: source.id, keyId: probe.keyId }, event);
      return;
    }
    case 'probe.inventory':
      return recordInventory(transaction, { systemId: probe.systemId, probeId: probe.id }, event.seen);
    case 'probe.dropped':
      return countDropped(transaction, probe, event.count);
  }
}

/** Ends the runs of the reported detectors and reconciles, as a scan does. Returns why it changed nothing. */
async function applyAssessment(
  transaction: TenantTransaction,
  probe: Probe,
  { receivedAt }: WaitingEvent,
  event: AssessmentEvent,
): Promise<Ignored | undefined> {
  const source = await lockAssessedSource(transaction, probe, event.source_id);
  if (typeof source === 'string') return source;
  const detectors = detectorsNamed(source.kind, event.planned).map(({ name }) => name);
  if (detectors.length === 0) return 'detectors_unknown';
  const inspection = inspectionIn(source, event);
  if (!inspection) return 'result_invalid';
  const startedAt = Date.parse(event.started_at) < Date.parse(receivedAt) ? event.started_at : receivedAt;
  const scan = await scanOfAssessment(transaction, probe, { source, event, detectors, startedAt });
  if (typeof scan === 'string') return scan;
  const { scanId } = scan;
  const reported = new Set(inspection.runs.map(({ detector }) => detector));
  const unfinished = await lockUnfinishedRuns(transaction, scanId, source.id);
  const runs = unfinished.filter(({ detector }) => reported.has(detector));
  // The same results again, under another id: they have been reconciled.
  if (runs.length === 0) return undefined;
  const scanned = { source, scanId, lookedAt: startedAt, category: null };
  await reconcileAndSave(transaction, scanned, inspection, runs);
  await finishScanIfDone(transaction, scanId);
  return undefined;
}

/** Undefined if no probe of any version sends such results. */
function inspectionIn(
  source: Parameters<typeof reportedInspection>[0],
  event: AssessmentEvent,
): Inspection | undefined {
  try {
    return reportedInspection(source, event);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
