import type { TenantSession } from '../../database/tenant-store.ts';
import { hostNameOf } from '../../domain/host-name.ts';

/** The website source of a host, and whether Shield is on for it. */
export interface ShieldedSource {
  readonly id: string;
  readonly name: string;
  readonly isOn: boolean;
}

/**
 * The website sources of a system by the name of their host. Of several with the same name, such as on two ports, it is the
 * oldest one with Shield on. Firewalls report neither scheme nor port, and no whole paths: requests cannot be divided among several.
 */
export async function sourcesByHost(
  session: TenantSession,
  systemId: string,
): Promise<ReadonlyMap<string, ShieldedSource>> {
  const sources = await session.query<ShieldedSource & { host: string }>({
    text: `select s.id, s.name, s.host, h.source_id is not null as "isOn"
      from sources s left join shields h on h.source_id = s.id
      where s.system_id = $1 and s.kind = 'website' and s.status <> 'disconnected'
      order by h.source_id is null desc, s.created_at desc, s.id desc`,
    values: [systemId],
  });
  return new Map(sources.map(({ host, ...source }) => [hostNameOf(host), source]));
}

/** The source of a host as a forwarder reports it. */
export function sourceOfHost(
  sources: ReadonlyMap<string, ShieldedSource>,
  host: string | null,
): ShieldedSource | undefined {
  return host === null ? undefined : sources.get(hostNameOf(host));
}
