import { dns, html } from './documents.ts';
import { flawed } from './flaws.ts';
import { proveFixes } from './prove.ts';
import { goodZone } from './zone.ts';

const markup = (code: string) => flawed({ 'html.page': code });

proveFixes(html, {
  'transport.insecure_form': markup('<form method="post" action="http://example.com/contact"></form>'),
  'page.no_integrity': markup('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>'),
  'hipaa.health_terms_in_url': markup(
    '<form method="get" action="/appointments"><input name="diagnosis"></form>',
  ),
  'hipaa.no_privacy_notice': {
    configuration: {
      'html.page': '<a href="/about">About</a><a href="/staff">Staff</a><a href="/contact">Contact</a>',
    },
  },
  'page.opener': markup('<a href="https://partner.example/" target="_blank" rel="opener">Partner</a>'),
});

const withoutMail = goodZone.replaceAll(/^.* TXT .*$/gm, '');
const goodDmarc = '_dmarc.example.com. TXT "v=DMARC1; p=reject"';
const goodSpf = 'example.com. TXT "v=spf1 mx -all"';
const zone = (...records: string[]) => ({
  configuration: { 'dns.zone': [withoutMail, ...records].join('\n') },
});
/** The code replaces the wrong record and leaves the others. */
const wrong = (good: string, ...records: string[]) => ({
  ...zone(good, ...records),
  correct: zone(good).configuration,
});

proveFixes(dns, {
  'mail.spf_missing': zone(goodDmarc),
  'mail.spf_permissive': wrong(goodDmarc, 'example.com. TXT "v=spf1 mx ?all"'),
  'mail.spf_broken': wrong(goodDmarc, goodSpf, 'example.com. TXT "v=spf1 a -all"'),
  'mail.dmarc_missing': zone(goodSpf),
  'mail.dmarc_none': wrong(goodSpf, '_dmarc.example.com. TXT "v=DMARC1; p=none"'),
  'tls.no_caa': { configuration: { 'dns.zone': goodZone.replace(/^.* CAA .*$/m, '') } },
});
