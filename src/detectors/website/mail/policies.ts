interface SpfRecord {
  /** Qualifier of `all`, null when there is none. */
  readonly all: '+' | '-' | '~' | '?' | null;
  readonly redirects: boolean;
  /** Terms that make receivers look something up (RFC 7208, 4.6.4), without those of included records. */
  readonly lookUps: number;
}

/** @param record one SPF record (RFC 7208, 4.6.1) */
export function readSpf(record: string): SpfRecord {
  let all: SpfRecord['all'] = null;
  let redirects = false;
  let lookUps = 0;
  for (const term of record.toLowerCase().split(/\s+/).slice(1)) {
    const [, qualifier, name] = /^([+?~-]?)([a-z0-9._-]{1,40})(?:[:=/]|$)/.exec(term) ?? [];
    // What stands after `all` is never reached.
    if (name === 'all') all ??= (qualifier || '+') as Exclude<SpfRecord['all'], null>;
    if (term.startsWith('redirect=')) redirects = true;
    const looksUp = ['include', 'a', 'mx', 'ptr', 'exists'].includes(name ?? '');
    if (all === null && (looksUp || term.startsWith('redirect='))) lookUps += 1;
  }
  return { all, redirects, lookUps };
}

type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** What a DMARC record asks of receivers (RFC 7489, 6.3). A `p` that is not known counts as `none` (6.6.3). */
export function policyOf(record: string): { domain: DmarcPolicy; subdomains: DmarcPolicy } {
  const tags = new Map(
    record.split(';').map(tag => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim().toLowerCase()];
    }),
  );
  const known = (value: string | undefined): DmarcPolicy | null =>
    value === 'none' || value === 'quarantine' || value === 'reject' ? value : null;
  const domain = known(tags.get('p')) ?? 'none';
  return { domain, subdomains: known(tags.get('sp')) ?? domain };
}
