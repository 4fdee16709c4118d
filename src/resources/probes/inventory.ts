import type { SourceKind } from '../../contract/sources.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Items that are kept of a system. Further ones are left out, so that a compromised probe cannot fill the disk. */
const mostPerSystem = 500;

/** Of these, hosts that firewalls saw: clients choose them. */
const mostOfFirewalls = 100;

interface SeenHost {
  readonly kind: SourceKind;
  readonly host: string;
  readonly via: 'listening_socket' | 'firewall';
}

/**
 * Records databases and sites that were seen and that are no sources of the system.
 *
 * @param from the system, and the probe that saw them; null for a firewall
 */
export async function recordInventory(
  transaction: TenantTransaction,
  from: { readonly systemId: string; readonly probeId: string | null },
  seen: readonly SeenHost[],
): Promise<void> {
  await transaction.query({
    text: `insert into inventory as i (system_id, kind, host, via, probe_id)
      select $1, s.kind, s.host, min(s.via), $2::uuid from unnest($3::text[], $4::text[], $5::text[]) as s (kind, host, via)
      where not exists (
          select from sources x where x.system_id = $1 and x.kind = s.kind and x.host = s.host and x.status <> 'disconnected')
        and ((select count(*) from inventory where system_id = $1 and ($2::uuid is not null or via = 'firewall')) < $6
          or exists (select from inventory k where k.system_id = $1 and k.kind = s.kind and k.host = s.host))
      group by s.kind, s.host order by s.kind, s.host
      on conflict (organization_id, system_id, kind, host) do update set last_seen_at = now(), via = excluded.via,
        probe_id = excluded.probe_id
      where excluded.probe_id is not null or i.probe_id is null`,
    values: [
      from.systemId,
      from.probeId,
      seen.map(({ kind }) => kind),
      seen.map(({ host }) => host),
      seen.map(({ via }) => via),
      from.probeId === null ? mostOfFirewalls : mostPerSystem,
    ],
  });
}
