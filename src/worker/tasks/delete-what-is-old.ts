import { deleteOldScans } from '../../resources/scans/retention.ts';
import { atOnce, attemptEach, type DueServices } from './attempt-each.ts';

/**
 * Deletes scans that are past the retention of their organizations, a few of each, and logs organizations that operators have deleted. On
 * its own, since at midnight it is due in all organizations at once: Watch does not wait for it.
 */
export async function deleteWhatIsOld(services: DueServices): Promise<void> {
  const { system } = services.storage;
  const deleted = await system.unloggedDeletions(atOnce);
  for (const { id, deleted_at } of deleted) {
    services.log('organization.deleted', { organization_id: id, deleted_at });
  }
  // Afterwards: a worker that ends in between logs them again.
  if (deleted.length > 0) await system.markDeletionsLogged(deleted.map(({ id }) => id));
  const retentions = await system.due.retentions(atOnce);
  await attemptEach(services, 'retention.not_applied', retentions, async store => {
    await store.transaction(deleteOldScans);
  });
}
