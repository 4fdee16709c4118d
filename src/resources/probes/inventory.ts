import type { SourceKind } from '../../contract/sources.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Items that are kept of a system, of keys that are not revoked, besides those that people adopted or dismissed. Further ones are left out, so that a compromised probe cannot fill the disk. */
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
  // Firewalls report hosts again and again; hosts that clients made up leave room for others.
  await transaction.query({
    text: `delete from inventory where system_id = $1 and via = 'firewall' and dismissed_at is null and source_id is null
      and last_seen_at < now() - interval '30 days'`,
    values: [from.systemId],
  });
  // A probe reports all that it sees. What people decided stays.
  if (from.probeId !== null) {
    await transaction.query({
      text: `delete from inventory i where i.probe_id = $1 and i.via = 'listening_socket' and dismissed_at is null and source_id is null
          and not exists (select from unnest($2::text[], $3::text[]) as s (kind, host) where s.kind = i.kind and s.host = i.host)`,
      values: [from.probeId, seen.map(({ kind }) => kind), seen.map(({ host }) => host)],
    });
  }
  await transaction.query({
    text: `insert into inventory as i (system_id, kind, host, via, probe_id)
      select $1, s.kind, s.host, s.via, $2::uuid from (
        select g.kind, g.host, g.via, k.host is not null as is_known,
          row_number() over (partition by k.host is null order by g.kind, g.host) as place
        from (select distinct on (kind, host) kind, host, via
            from unnest($3::text[], $4::text[], $5::text[]) as t (kind, host, via) order by kind, host) as g
          left join inventory k on k.system_id = $1 and k.kind = g.kind and k.host = g.host
        where not exists (
          select from sources x where x.system_id = $1 and x.kind = g.kind and x.host = g.host and x.status <> 'disconnected')
      ) as s
      where s.is_known or s.place
        + (select count(*) from inventory o left join probes p on p.id = o.probe_id left join api_keys k on k.id = p.key_id
          where o.system_id = $1 and ($2::uuid is not null or o.via = 'firewall') and k.revoked_at is null
            and o.dismissed_at is null and o.source_id is null) <= $6
      order by s.kind, s.host
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
