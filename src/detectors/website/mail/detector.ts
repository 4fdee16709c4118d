import type { DomainRecords, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { mailChecks as checks } from './checks.ts';
import { policyOf, readSpf } from './policies.ts';

/** Whether others can send mail or forge DNS answers for the site's domain. */
export const mailDetector: Detector<WebsiteCapture> = {
  name: 'website.mail',
  surface: 'website',
  reads: ['domain'],
  checks: Object.values(checks),
  detect: detecting((found, { domain }) => {
    if (!domain.assessed) found.cannotAssess(Object.values(checks), domain.reason);
    else if (domain.value === null) {
      found.doesNotApply(Object.values(checks), 'The host does not belong to a registered domain.');
    } else {
      detectSpf(found, domain.value);
      detectDmarc(found, domain.value);
      detectSignature(found, domain.value);
    }
  }),
};

function detectSpf(found: DetectionBuilder, { domain, spf, mail_exchangers }: DomainRecords) {
  const { spfMissing, spfPermissive, spfBroken } = checks;
  if (!spf.assessed) return found.cannotAssess([spfMissing, spfPermissive, spfBroken], spf.reason);
  const [record, ...more] = spf.value;
  if (record === undefined) {
    // A single empty name means that a domain accepts no mail (RFC 7505).
    const takesMail = mail_exchangers.assessed && mail_exchangers.value.some(name => name !== '');
    const takesNone = mail_exchangers.assessed && !takesMail;
    const advice = takesNone ? ' It accepts no mail. If it sends none either, publish v=spf1 -all.' : '';
    return found.observe(spfMissing, domain, `No TXT record of ${domain} starts with v=spf1.${advice}`);
  }
  if (more.length > 0) {
    found.observe(spfBroken, domain, `${domain} has several TXT records that start with v=spf1.`);
    return found.cannotAssess([spfPermissive], 'Receivers ignore SPF if a domain has several records.');
  }
  const { all, redirects, lookUps, malformed, broad } = readSpf(record);
  if (lookUps > 10) {
    found.observe(
      spfBroken,
      domain,
      `The SPF record of ${domain} requires more than ten DNS lookups, even without nested records.`,
    );
  }
  if (malformed !== null) {
    const sentence = `The SPF record of ${domain} contains the invalid term ${quoted(malformed)}.`;
    found.observe(spfBroken, domain, sentence);
    return found.cannotAssess([spfPermissive], 'Receivers ignore an SPF record with an error.');
  }
  if (broad !== null) {
    const sentence = `The SPF record of ${domain} allows the overly broad range ${quoted(broad)}.`;
    found.observe(spfPermissive, domain, sentence, 'medium');
  } else if (all === '+') {
    const sentence = `The SPF record of ${domain} allows every server (+all).`;
    found.observe(spfPermissive, domain, sentence, 'medium');
  } else if (all === '?') {
    found.observe(
      spfPermissive,
      domain,
      `The SPF record of ${domain} is neutral about all other servers (?all).`,
    );
  } else if (all === null && redirects) {
    found.cannotAssess(
      [spfPermissive],
      'The SPF record redirects to another name, which the scan does not look up.',
    );
  } else if (all === null) {
    found.observe(spfPermissive, domain, `The SPF record of ${domain} has no rule for all other servers.`);
  }
}

function detectDmarc(found: DetectionBuilder, { domain, dmarc }: DomainRecords) {
  const { dmarcMissing, dmarcNone } = checks;
  if (!dmarc.assessed) return found.cannotAssess([dmarcMissing, dmarcNone], dmarc.reason);
  const [record, ...more] = dmarc.value;
  if (record === undefined || more.length > 0) {
    const seen = record === undefined ? 'no DMARC record' : 'several DMARC records, so receivers ignore them';
    return found.observe(dmarcMissing, domain, `_dmarc.${domain} has ${seen}.`);
  }
  const { domain: policy, subdomains } = policyOf(record);
  if (policy === 'none') {
    found.observe(
      dmarcNone,
      domain,
      `The policy of ${domain} requests no action (p=none, an unknown p, or test mode).`,
    );
  } else if (subdomains === 'none') {
    found.observe(
      dmarcNone,
      `${domain} subdomains`,
      `The policy of ${domain} requests no action for subdomains (sp=none, or test mode).`,
    );
  }
}

function detectSignature(found: DetectionBuilder, { domain, signed }: DomainRecords): void {
  if (!signed.assessed) found.cannotAssess([checks.notSigned], signed.reason);
  else if (!signed.value) {
    found.observe(checks.notSigned, domain, `The parent zone has no DS record for ${domain}.`);
  }
}
