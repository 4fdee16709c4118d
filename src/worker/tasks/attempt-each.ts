import { DatabaseUnavailable } from '../../database/outages.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';

/** Items of each kind in one turn. The rest is due in the next one. */
export const atOnce = 500;

/**
 * An item usually takes a few milliseconds, a batch of Watch scans a few hundred; a slow one waits for locks or connections of its own
 * organization.
 */
const slowMs = 1_000;

export type DueServices = Pick<WorkerServices, 'storage' | 'log' | 'privilegedConnections'>;

/**
 * The first failed or slow item of an organization ends its part of this turn: its other items would probably
 * fail or be slow too, and delay other organizations.
 *
 * @param event of the log, for an item that failed
 */
export async function attemptEach<Item extends { readonly organizationId: string }>(
  { storage, log }: Pick<DueServices, 'storage' | 'log'>,
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
      log(event, { organization_id: organizationId, err: error });
    }
    if (performance.now() - began > slowMs) ended.add(organizationId);
  }
}
