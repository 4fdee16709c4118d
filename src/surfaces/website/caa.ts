import { promises as dns } from 'node:dns';
import { parse } from 'tldts';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { CaaLookup, WebsiteSite } from '../../captures/website.ts';

/** Returns the CAA records of exactly this name; rejects with `ENODATA` or `ENOTFOUND` if it has none. */
export type ResolveCaa = (name: string) => Promise<readonly Record<string, unknown>[]>;

export const resolveCaaBySystem: ResolveCaa = async name => {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 });
  return (await resolver.resolveCaa(name)) as unknown as Record<string, unknown>[];
};

const maxLabels = 8;

/**
 * The CAA records that apply to a host: its own, or those of the nearest parent (RFC 8659, 3). Null for IP addresses and for names below
 * no public top-level domain, such as `localhost`: public authorities issue no certificates for these names.
 */
export async function lookUpCaa(
  site: WebsiteSite,
  resolveCaa: ResolveCaa,
): Promise<Assessment<CaaLookup | null>> {
  if (site.is_address || !parse(site.hostname).isIcann) return { assessed: true, value: null };
  const labels = site.hostname.split('.').slice(-maxLabels);
  for (let index = 0; index < labels.length; index += 1) {
    const name = labels.slice(index).join('.');
    try {
      const records = await resolveCaa(name);
      if (records.length > 0) {
        return { assessed: true, value: { found_at: name, records: records.slice(0, 20).map(describe) } };
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENODATA' && code !== 'ENOTFOUND') {
        return notAssessed('The name server did not answer the CAA query.');
      }
    }
  }
  return { assessed: true, value: { found_at: null, records: [] } };
}

function describe(record: Record<string, unknown>): string {
  const [property, value] = Object.entries(record).find(([key]) => key !== 'critical') ?? ['', ''];
  return `${property} ${String(value)}`.slice(0, 200);
}
