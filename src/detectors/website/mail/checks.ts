import type { Check } from '../../detector.ts';

const rfc7208 = 'https://www.rfc-editor.org/rfc/rfc7208';
const rfc7489 = 'https://www.rfc-editor.org/rfc/rfc7489';

export const mailChecks = {
  spfMissing: {
    id: 'mail.spf_missing',
    title: 'The domain has no SPF record',
    severity: 'low',
    why: 'Without an SPF record receivers cannot tell which servers may send mail in the domain’s name, so anyone can send it, to patients too.',
    fix: {
      advice:
        'Publish one TXT record at the domain that names who sends its mail and ends in -all. Google Workspace: `v=spf1 include:_spf.google.com -all` Microsoft 365: `v=spf1 include:spf.protection.outlook.com -all` A domain that sends no mail: `v=spf1 -all`.',
    },
    references: [rfc7208, 'https://support.google.com/a/answer/33786'],
    safeguards: [],
  },
  spfPermissive: {
    id: 'mail.spf_permissive',
    title: 'The SPF record lets everybody send',
    severity: 'low',
    why: 'A record that ends in +all, ?all or nothing, or permits a range as large as ip4:0.0.0.0/0, turns down hardly any sender, so that forged mail looks as good as the domain’s own.',
    fix: {
      advice:
        'End the record in -all, or in ~all while you find out who sends: `v=spf1 include:_spf.google.com ~all`. A domain that sends no mail: `v=spf1 -all`.',
    },
    references: [`${rfc7208}#section-5.1`, `${rfc7208}#section-4.7`],
    safeguards: [],
  },
  spfBroken: {
    id: 'mail.spf_broken',
    title: 'Receivers cannot evaluate the SPF record',
    severity: 'low',
    why: 'Several records, an invalid term, or more than ten look-ups in one, are a permanent error for receivers, who then treat the domain as if it had no SPF.',
    fix: {
      advice:
        'Keep exactly one TXT record that begins with v=spf1: merge the mechanisms of all and delete the others. Stay below ten of include, a, mx, ptr, exists and redirect, nested ones counted: remove services that send no more, replace a and mx by ip4 and ip6, move bulk mail to a subdomain with a record of its own.',
    },
    references: [`${rfc7208}#section-4.5`, `${rfc7208}#section-4.6.4`],
    safeguards: [],
  },
  dmarcMissing: {
    id: 'mail.dmarc_missing',
    title: 'The domain has no DMARC policy',
    severity: 'low',
    why: 'Without DMARC nobody turns down mail whose visible sender is forged, and the domain’s owner never hears of it.',
    fix: {
      advice:
        'Publish a TXT record at _dmarc below the domain: `v=DMARC1; p=none; rua=mailto:dmarc-reports@example.com` to collect reports first, then p=quarantine, then p=reject. A domain that sends no mail: `v=DMARC1; p=reject` at once. Several records count as none: keep one.',
    },
    references: [`${rfc7489}#section-6.3`, `${rfc7489}#section-6.6.3`],
    safeguards: [],
  },
  dmarcNone: {
    id: 'mail.dmarc_none',
    title: 'The DMARC policy asks for nothing',
    severity: 'low',
    why: 'With p=none, or in test mode (pct=0, t=y), receivers report forged mail, if at all, and deliver it.',
    fix: {
      advice:
        'When the reports show that all of the domain’s own mail passes, raise the policy: `v=DMARC1; p=quarantine; rua=mailto:dmarc-reports@example.com`, then p=reject. Leave sp out, so that subdomains have the same policy.',
    },
    references: [`${rfc7489}#section-6.3`, 'https://support.google.com/a/answer/10032473'],
    safeguards: [],
  },
  notSigned: {
    id: 'mail.dnssec_missing',
    title: 'The domain is not signed with DNSSEC',
    severity: 'info',
    why: 'Whoever can forge DNS answers can send visitors and mail elsewhere; DNSSEC lets resolvers notice.',
    fix: {
      advice:
        'Turn signing on where the zone is hosted (Cloudflare: DNS, Settings, Enable DNSSEC; Route 53: DNSSEC signing; BIND: `dnssec-policy default;`), then give the DS record to the registrar. Wait until it works before you change name servers again.',
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc9364',
      'https://www.rfc-editor.org/rfc/rfc4034#section-5',
    ],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
