import { expireAcceptance } from '../../storage/triage.ts';
import { startWatchedScan } from '../../storage/watches.ts';
import type { WorkerServices } from '../services.ts';

/** Of each kind, in one go. What is left over is due still the next time. */
const atOnce = 500;

const worker = { kind: 'service', id: 'worker' } as const;

type DueServices = Pick<WorkerServices, 'storage' | 'log'>;

/**
 * Ends the acceptances and starts the watched scans whose time has come, in all organizations. Every worker does this;
 * each deed looks again, with its row locked, whether another was faster.
 */
export async function doWhatIsDue(services: DueServices): Promise<void> {
  const { system } = services.storage;
  for (const { organizationId, findingId } of await system.dueAcceptances(atOnce)) {
    await attempt(services, 'acceptance.not_ended', organizationId, async store => {
      await store.transaction(transaction => expireAcceptance(transaction, findingId));
    });
  }
  for (const { organizationId, sourceId } of await system.dueWatches(atOnce)) {
    await attempt(services, 'watch.not_started', organizationId, async store => {
      await store.transaction(transaction => startWatchedScan(transaction, sourceId));
    });
  }
}

/** One organization's trouble must not stop the others'. */
async function attempt(
  { storage, log }: DueServices,
  event: string,
  organizationId: string,
  work: (store: ReturnType<typeof storage.tenant>) => Promise<void>,
): Promise<void> {
  try {
    await work(storage.tenant(organizationId, worker));
  } catch (error) {
    log(event, { organization_id: organizationId, message: String(error) });
  }
}
