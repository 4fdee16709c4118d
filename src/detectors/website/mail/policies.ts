interface SpfRecord {
  /** Qualifier of `all`; null if there is none. */
  readonly all: '+' | '-' | '~' | '?' | null;
  readonly redirects: boolean;
  /** Terms that require a DNS lookup (RFC 7208, 4.6.4), without those of included records. */
  readonly lookUps: number;
  /** The first invalid term. */
  readonly malformed: string | null;
  /** The first term that allows more addresses than any organization has. */
  readonly broad: string | null;
}

/** @param record one SPF record (RFC 7208, 4.6.1) */
export function readSpf(record: string): SpfRecord {
  let all: SpfRecord['all'] = null;
  let redirects = false;
  let lookUps = 0;
  let malformed: string | null = null;
  let broad: string | null = null;
  for (const term of record.toLowerCase().split(/ +/).slice(1)) {
    const isModifier = /^[a-z][a-z0-9._-]{0,40}=/.test(term);
    const [, qualifier, name = ''] = /^([+?~-]?)([a-z0-9]{1,10})(?=[:/]|$)/.exec(term) ?? [];
    if (term !== '' && !isModifier && !mechanisms.get(name)?.test(term)) malformed ??= term;
    if (term.startsWith('redirect=')) redirects = true;
    // Terms after `all` are never evaluated.
    if (all !== null) continue;
    if (name === 'all') all = (qualifier || '+') as Exclude<SpfRecord['all'], null>;
    if (lookingUp.has(name)) lookUps += 1;
    if ((qualifier || '+') === '+' && isBroad(name, term)) broad ??= term;
  }
  // Beside `all`, a redirect is ignored (RFC 7208, 6.1).
  return { all, redirects, lookUps: lookUps + Number(redirects && all === null), malformed, broad };
}

const lookingUp = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

const byName = /^[+?~-]?\w+(?::\S+?)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/;
const byDomain = /^[+?~-]?\w+:\S+$/;

/** The syntax of each mechanism (RFC 7208, 5). A malformed term is an error that invalidates the record. */
const mechanisms = new Map([
  ['all', /^[+?~-]?all$/],
  ['include', byDomain],
  ['exists', byDomain],
  ['a', byName],
  ['mx', byName],
  ['ptr', /^[+?~-]?ptr(?::\S+)?$/],
  ['ip4', /^[+?~-]?ip4:(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/],
  ['ip6', /^[+?~-]?ip6:[0-9a-f:.]{2,45}(?:\/\d{1,3})?$/],
]);

/** Whether it allows more addresses than any registry has in one block: more than a /8 of IPv4 or a /12 of IPv6. */
function isBroad(name: string, term: string): boolean {
  if (!['a', 'mx', 'ip4', 'ip6'].includes(name)) return false;
  const [, first, second] = /(?<!\/)(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(term) ?? [];
  const [ofIpv4, ofIpv6] = name === 'ip6' ? [second, first] : [first, second];
  return Number(ofIpv4 ?? 32) < 8 || Number(ofIpv6 ?? 128) < 12;
}

type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** What a DMARC record requests from receivers (RFC 7489, 6.3). An unknown `p` counts as `none` (6.6.3). */
export function policyOf(record: string): { domain: DmarcPolicy; subdomains: DmarcPolicy } {
  const tags = new Map(
    record.split(';').map(tag => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim().toLowerCase()];
    }),
  );
  const known = (value: string | undefined): DmarcPolicy | null =>
    value === 'none' || value === 'quarantine' || value === 'reject' ? value : null;
  // With pct=0 or in test mode, receivers apply the next weaker policy (RFC 7489, 6.6.4; its successor's t).
  const isTest = /^0+$/.test(tags.get('pct') ?? '') || tags.get('t') === 'y';
  const effective = (policy: DmarcPolicy) =>
    isTest ? (policy === 'reject' ? 'quarantine' : 'none') : policy;
  const domain = known(tags.get('p')) ?? 'none';
  return { domain: effective(domain), subdomains: effective(known(tags.get('sp')) ?? domain) };
}
