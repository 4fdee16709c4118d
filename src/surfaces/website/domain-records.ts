import dns from 'node:dns';
import { parse } from 'tldts';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { DomainRecords, WebsiteSite } from '../../captures/website.ts';
import { askNameServer } from '../connection/dns-exchange.ts';
import { dnsTypes } from '../connection/dns-message.ts';

const maxRecords = 10;
const maxText = 4_096;
const tooLong = `A TXT record has more than ${maxText} characters.`;

/**
 * Looks up the DNS records for mail and DNSSEC of the site's registrable domain. Null for IP addresses, for names
 * without a public registry, and for names below a hosting provider's, whose records are the provider's.
 *
 * @param servers name servers as `dns.getServers()` writes them
 */
export async function lookUpDomain(
  site: WebsiteSite,
  servers: readonly string[],
): Promise<DomainRecords | null> {
  const { domain, isIcann, isPrivate } = parse(site.hostname, { allowPrivateDomains: true });
  if (site.is_address || domain === null || !isIcann || isPrivate) return null;
  const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers(servers);
  const texts = (name: string, version: RegExp) =>
    records(async () => {
      const found = await resolver.resolveTxt(name);
      const texts = found.map(parts => parts.join('')).filter(text => version.test(text));
      if (texts.some(text => text.length > maxText)) throw new RangeError(tooLong);
      return texts;
    });
  const [spf, dmarc, mailExchangers, signed] = await Promise.all([
    texts(domain, /^v=spf1(?: |$)/i),
    texts(`_dmarc.${domain}`, /^v\s{0,9}=\s{0,9}DMARC1\b/i),
    records(async () => (await resolver.resolveMx(domain)).map(({ exchange }) => exchange.slice(0, 253))),
    isSigned(domain, servers),
  ]);
  return { domain, spf, dmarc, mail_exchangers: mailExchangers, signed };
}

/** That there are no records is an answer; a failed query is not. */
async function records(lookUp: () => Promise<string[]>): Promise<Assessment<readonly string[]>> {
  try {
    return { assessed: true, value: (await lookUp()).slice(0, maxRecords) };
  } catch (error) {
    if (error instanceof RangeError) return notAssessed(tooLong);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA' || code === 'ENOTFOUND') return { assessed: true, value: [] };
    return notAssessed('The name server did not answer the query.');
  }
}

/**
 * Whether the domain's parent has a DS record for it, the beginning of its chain of trust (RFC 4034, 5).
 *
 * DS records are in the parent's zone. Forwarders that do not implement this query the domain itself and return a
 * meaningless "no": a "no" counts only with the parent's SOA (RFC 4035, 3.1.4.1; RFC 2308, 2.2).
 */
async function isSigned(domain: string, servers: readonly string[]): Promise<Assessment<boolean>> {
  for (const server of servers.slice(0, 2)) {
    try {
      const { code, answers, authorities } = await askNameServer(server, domain, dnsTypes.ds);
      if (code !== 0) continue;
      if (answers.some(({ type, name }) => type === dnsTypes.ds && name === domain)) {
        return { assessed: true, value: true };
      }
      const isParent = (name: string) => name === '' || domain.endsWith(`.${name}`);
      const fromParent = authorities.some(({ type, name }) => type === dnsTypes.soa && isParent(name));
      if (answers.length === 0 && fromParent) return { assessed: true, value: false };
    } catch {
      // The next server may answer.
    }
  }
  return notAssessed('The name server gave no conclusive answer to the query for a DS record.');
}
