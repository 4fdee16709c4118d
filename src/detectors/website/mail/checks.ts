import type { Check } from '../../detector.ts';
import type { Step } from '../../remediation/step.ts';

const rfc7208 = 'https://www.rfc-editor.org/rfc/rfc7208';
const rfc7489 = 'https://www.rfc-editor.org/rfc/rfc7489';

const ownDomain = { 'example.com': 'the domain' };

const spf: readonly Step[] = [
  {
    place: 'dns.zone',
    code: 'example.com. TXT "v=spf1 include:_spf.google.com -all"',
    replace: {
      ...ownDomain,
      'include:_spf.google.com': 'what your mail provider specifies',
    },
    note: 'Microsoft 365: `include:spf.protection.outlook.com`. For a domain that sends no mail, only `v=spf1 -all`.',
  },
];

const dmarc: readonly Step[] = [
  {
    place: 'dns.zone',
    code: '_dmarc.example.com. TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc-reports@example.com"',
    replace: { ...ownDomain, 'dmarc-reports@example.com': 'the mailbox for reports' },
    note: 'Start with `p=none` until the reports show that all of your mail passes. For a domain that sends no mail, use `p=reject`.',
  },
];

export const mailChecks = {
  spfMissing: {
    id: 'mail.spf_missing',
    title: 'The domain has no SPF record',
    severity: 'low',
    why: 'Without an SPF record, receivers do not know which servers may send mail for the domain, so anyone can send mail in its name, including to patients.',
    fix: {
      advice: 'Publish one TXT record that lists the domain’s mail servers and ends in `-all`.',
      steps: spf,
    },
    references: [rfc7208, 'https://support.google.com/a/answer/33786'],
    safeguards: [],
  },
  spfPermissive: {
    id: 'mail.spf_permissive',
    title: 'The SPF record allows anyone to send',
    severity: 'low',
    why: 'A record that ends in +all or ?all, has no all, or allows a range as large as ip4:0.0.0.0/0 rejects hardly any sender, so forged mail passes like genuine mail.',
    fix: {
      advice: 'End the record in `-all`, or in `~all` until you know every server that sends.',
      steps: spf,
    },
    references: [`${rfc7208}#section-5.1`, `${rfc7208}#section-4.7`],
    safeguards: [],
  },
  spfBroken: {
    id: 'mail.spf_broken',
    title: 'The SPF record is invalid',
    severity: 'low',
    why: 'Several records, an invalid term or more than ten DNS lookups are a permanent error. Receivers then treat the domain as if it had no SPF record.',
    fix: {
      advice:
        'Keep exactly one TXT record that starts with v=spf1: merge the mechanisms of all and delete the others. Use at most ten of include, a, mx, ptr, exists and redirect, including nested ones: remove services that no longer send, replace a and mx with ip4 and ip6, and move bulk mail to a subdomain with its own record.',
      steps: spf,
    },
    references: [`${rfc7208}#section-4.5`, `${rfc7208}#section-4.6.4`],
    safeguards: [],
  },
  dmarcMissing: {
    id: 'mail.dmarc_missing',
    title: 'The domain has no DMARC policy',
    severity: 'low',
    why: 'Without DMARC, receivers do not reject mail with a forged sender, and the domain’s owner never learns of it.',
    fix: {
      advice:
        'Publish one TXT record at `_dmarc` under the domain. Receivers ignore all of them if there are several.',
      steps: dmarc,
    },
    references: [`${rfc7489}#section-6.3`, `${rfc7489}#section-6.6.3`],
    safeguards: [],
  },
  dmarcNone: {
    id: 'mail.dmarc_none',
    title: 'The DMARC policy is not enforced',
    severity: 'low',
    why: 'With p=none or in test mode (pct=0, t=y), receivers deliver forged mail and at most report it.',
    fix: {
      advice:
        'When the reports show that all of the domain’s mail passes, raise the policy to `p=quarantine`, then to `p=reject`. Omit `sp` so that subdomains have the same policy.',
      steps: dmarc,
    },
    references: [`${rfc7489}#section-6.3`, 'https://support.google.com/a/answer/10032473'],
    safeguards: [],
  },
  notSigned: {
    id: 'mail.dnssec_missing',
    title: 'The domain is not signed with DNSSEC',
    severity: 'info',
    why: 'An attacker who can forge DNS answers can redirect visitors and mail. DNSSEC lets resolvers detect this.',
    fix: {
      advice:
        'Enable signing at your DNS host, then give the DS record to your registrar. Wait until validation works before you change name servers again.',
      steps: [
        {
          place: 'bind.file',
          version: '9.16 or newer',
          code: [
            'zone "example.com" {',
            '  type primary;',
            '  file "/var/lib/bind/example.com.zone";',
            '  dnssec-policy default;',
            '  inline-signing yes;',
            '};',
          ].join('\n'),
          replace: { ...ownDomain, '/var/lib/bind/example.com.zone': 'the zone file' },
          note: 'Then `dig @localhost example.com CDS` prints the DS record.',
        },
      ],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc9364',
      'https://www.rfc-editor.org/rfc/rfc4034#section-5',
    ],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
