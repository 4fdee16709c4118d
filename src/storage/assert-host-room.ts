import { hostNameOf } from '../domain/host-name.ts';
import { proofValidDays } from '../domain/proof-valid-days.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ScanSource } from './scans.ts';
import type { TenantTransaction } from './tenant-store.ts';

/** Inspections of one host within an hour, each of which sends it at most 60 requests. */
const mostAnHour = 240;

/**
 * Throws `too_many_scans` where the scan, which has been inserted, is one too many for a host of its sources: an organization could
 * otherwise flood a server that is not its own, without any proof, by many sources of it. The operator's own hosts do not count, nor
 * do sources that a file on the server itself proves; a TXT record does not tell whose server a name leads to.
 */
export async function assertHostRoom(
  transaction: TenantTransaction,
  sources: readonly ScanSource[],
): Promise<void> {
  const asked = sources.filter(({ connection_mode }) => connection_mode === 'direct');
  const hosts = new Set(asked.map(({ host }) => host).filter(host => !transaction.isOperators(host)));
  if (hosts.size === 0) return;
  const names = new Set([...hosts].map(hostNameOf));
  const recent = await transaction.query<{ host: string; inspections: number }>({
    text: `select s.host, count(*)::int as inspections from scans c
      join sources s on s.id = c.source_id or (s.system_id = c.system_id and s.created_at <= c.created_at)
      where c.created_at > now() - interval '1 hour' and s.status <> 'draft' and s.connection_mode = 'direct'
        and not exists (select from domain_proofs p where p.source_id = s.id
          and p.proven_by = 'well_known_file' and p.proven_at > now() - make_interval(days => $1))
      group by s.host`,
    values: [proofValidDays],
  });
  const counts = new Map<string, number>();
  for (const { host, inspections } of recent) {
    const name = hostNameOf(host);
    const count = (counts.get(name) ?? 0) + inspections;
    counts.set(name, count);
    if (names.has(name) && count > mostAnHour)
      throw new Refusal('too_many_scans', { retry_after_seconds: 300 });
  }
}
