import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { dropSources } from './presence.ts';

/**
 * Removes a silent probe from the list, with what it saw. Its findings, scans and events stay. Throws `not_found` and
 * `probe_reports`.
 */
export async function removeProbe(transaction: TenantTransaction, id: string): Promise<void> {
  const [probe] = await transaction.query<{ name: string; system_id: string; reports: boolean }>({
    text: `select name, system_id, silent_since is null and (interval_seconds > 0 or last_seen_at > now() - interval '5 minutes')
        as reports
      from probes where id = $1 and removed_at is null for no key update`,
    values: [id],
  });
  if (!probe) throw new Refusal('not_found');
  if (probe.reports) throw new Refusal('probe_reports');
  await transaction.query({ text: 'update probes set removed_at = now() where id = $1', values: [id] });
  await dropSources(transaction, { id });
  await transaction.query({
    text: 'delete from inventory where probe_id = $1 and dismissed_at is null and source_id is null',
    values: [id],
  });
  transaction.audit({
    action: 'system.probe_removed',
    objectKind: 'system',
    objectId: probe.system_id,
    detail: { probe: probe.name },
  });
}
