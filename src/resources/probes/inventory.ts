import type { InventoryEvent } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import type { Probe } from './probes.ts';

/** Items that are kept of a system. Further ones are left out, so that a compromised probe cannot fill the disk. */
const mostPerSystem = 500;

/** Records databases and sites that the probe saw and that are no sources of its system. */
export async function recordInventory(
  transaction: TenantTransaction,
  probe: Probe,
  { seen }: InventoryEvent,
): Promise<void> {
  await transaction.query({
    text: `insert into inventory as i (system_id, kind, host, via, probe_id)
      select $1, s.kind, s.host, min(s.via), $2 from unnest($3::text[], $4::text[], $5::text[]) as s (kind, host, via)
      where not exists (
          select from sources x where x.system_id = $1 and x.kind = s.kind and x.host = s.host and x.status <> 'disconnected')
        and ((select count(*) from inventory where system_id = $1) < $6
          or exists (select from inventory k where k.system_id = $1 and k.kind = s.kind and k.host = s.host))
      group by s.kind, s.host order by s.kind, s.host
      on conflict (organization_id, system_id, kind, host) do update set last_seen_at = now(), via = excluded.via,
        probe_id = excluded.probe_id`,
    values: [
      probe.systemId,
      probe.id,
      seen.map(({ kind }) => kind),
      seen.map(({ host }) => host),
      seen.map(({ via }) => via),
      mostPerSystem,
    ],
  });
}
