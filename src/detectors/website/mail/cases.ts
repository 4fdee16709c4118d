import type { DomainRecords, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, domainWith, notSeen, seen } from '../hardened-capture.ts';

const records = (changes: Partial<DomainRecords>) => captureWith({ domain: domainWith(changes) });
const spf = (...values: string[]) => records({ spf: seen(values) });
const dmarc = (...values: string[]) => records({ dmarc: seen(values) });
const lookUps = (count: number) =>
  `v=spf1 ${Array.from({ length: count }, (_, index) => `include:_${index}.example`).join(' ')} -all`;
const all = [
  'mail.dmarc_missing',
  'mail.dmarc_none',
  'mail.dnssec_missing',
  'mail.spf_broken',
  'mail.spf_missing',
  'mail.spf_permissive',
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened domain', capture: captureWith(), expected: [] },
  {
    name: 'no SPF record',
    capture: spf(),
    expected: [{ check: 'mail.spf_missing', locator: 'example.com' }],
  },
  {
    name: 'a domain without mail and without an SPF record',
    capture: records({ spf: seen([]), mail_exchangers: seen(['']) }),
    expected: ['mail.spf_missing'],
  },
  ...[
    'v=spf1 +all',
    'v=spf1 all',
    'v=spf1 include:_spf.google.com ?all',
    'v=spf1 mx',
    'v=spf1',
    'v=spf1 +all -all',
    'v=spf1 ip4:0.0.0.0/0 -all',
    'v=spf1 ip4:192.0.2.0/24 ip4:128.0.0.0/1 ~all',
    'v=spf1 a:example.net/0 -all',
    'v=spf1 mx//0 -all',
    'v=spf1 ip6:2000::/3 -all',
  ].map(record => ({
    name: `SPF that rejects no sender: ${record}`,
    capture: spf(record),
    expected: [{ check: 'mail.spf_permissive', locator: 'example.com' }],
  })),
  ...[
    'v=spf1 -all',
    'V=SPF1 INCLUDE:_spf.google.com ~ALL',
    'v=spf1 ip4:192.0.2.0/24  a/24 mx:example.net -all',
    'v=spf1 include:all.example -all',
    'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 a:mail.example/24//64 exp=why.example -ip4:0.0.0.0/0 -all',
    'v=spf1 -all ip4:0.0.0.0/0',
    lookUps(10),
    lookUps(10).replace('v=spf1', 'v=spf1 redirect=_spf.example.net'),
  ].map(record => ({ name: `SPF: ${record.slice(0, 50)}`, capture: spf(record), expected: [] })),
  {
    name: 'SPF that redirects to another name',
    capture: spf('v=spf1 redirect=_spf.example.net'),
    expected: [],
    notAssessed: ['mail.spf_permissive'],
  },
  {
    name: 'two SPF records',
    capture: spf('v=spf1 mx -all', 'v=spf1 include:_spf.google.com ~all'),
    expected: ['mail.spf_broken'],
    notAssessed: ['mail.spf_permissive'],
  },
  ...[
    'v=spf1 ipv4:192.0.2.1 -all',
    'v=spf1 ip4:mail.example -all',
    'v=spf1 -all!',
    'v=spf1 include -all',
  ].map(record => ({
    name: `SPF with an error: ${record}`,
    capture: spf(record),
    expected: ['mail.spf_broken'],
    notAssessed: ['mail.spf_permissive'],
  })),
  { name: 'eleven lookups', capture: spf(lookUps(11)), expected: ['mail.spf_broken'] },
  {
    name: 'no DMARC record',
    capture: dmarc(),
    expected: [{ check: 'mail.dmarc_missing', locator: 'example.com' }],
  },
  {
    name: 'two DMARC records',
    capture: dmarc('v=DMARC1; p=reject', 'v=DMARC1; p=none'),
    expected: ['mail.dmarc_missing'],
  },
  ...[
    'v=DMARC1; p=none',
    'v=DMARC1;p=None;rua=mailto:a@example.com',
    'v=DMARC1; p=monitor',
    'v=DMARC1',
    'v=DMARC1; p=quarantine; pct=0',
    'v=DMARC1; p=quarantine; t=y',
  ].map(record => ({
    name: `DMARC without enforcement: ${record}`,
    capture: dmarc(record),
    expected: [{ check: 'mail.dmarc_none', locator: 'example.com' }],
  })),
  {
    name: 'DMARC that exempts subdomains',
    capture: dmarc('v=DMARC1; p=reject; sp=none'),
    expected: [{ check: 'mail.dmarc_none', locator: 'example.com subdomains' }],
  },
  ...[
    'v=DMARC1; p=quarantine; pct=100',
    'v=DMARC1; p=quarantine; pct=',
    'v=DMARC1 ; P = reject ; sp=reject',
  ].map(record => ({
    name: `DMARC: ${record}`,
    capture: dmarc(record),
    expected: [],
  })),
  {
    name: 'no DNSSEC',
    capture: records({ signed: seen(false) }),
    expected: [{ check: 'mail.dnssec_missing', locator: 'example.com' }],
  },
  {
    name: 'a name server without a response',
    capture: records({ spf: notSeen(), dmarc: notSeen(), mail_exchangers: notSeen(), signed: notSeen() }),
    expected: [],
    notAssessed: all,
  },
  { name: 'an IP address', capture: captureWith({ domain: seen(null) }), expected: [], notAssessed: all },
  { name: 'no DNS lookups', capture: captureWith({ domain: notSeen() }), expected: [], notAssessed: all },
];
