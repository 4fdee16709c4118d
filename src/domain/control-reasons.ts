import { outdatedAfterDays } from '../contract/dashboard/outdated.ts';
import { surfaceTitles } from './check-description.ts';

/** Reasons with a positive count. */
export type CountedReason =
  | 'checks_not_assessed'
  | 'sources_not_scanned'
  | 'sources_not_reported'
  | 'checks_without_findings'
  | 'findings_accepted'
  | 'findings_dismissed'
  | 'checks_partly_run'
  | 'checks_not_passed';

/** Reasons with control titles or source kinds. */
export type NamingReason =
  | 'specifications_need_attention'
  | 'specifications_not_supported'
  | 'specifications_inapplicable'
  | 'supported_anyway'
  | 'no_source_of_kind'
  | 'no_check_for_kinds';

type PlainReason =
  | 'attestation_expired'
  | 'results_outdated'
  | 'attested_inapplicable'
  | 'attested_with_evidence'
  | 'attested_without_evidence'
  | 'attested_with_scans_only'
  | 'specifications_supported'
  | 'applicable_specifications_supported'
  | 'no_source_in_scope'
  | 'no_check'
  | 'no_showing_check';

/** Why a control has its state. */
export type ControlReason =
  | { readonly code: PlainReason }
  | { readonly code: CountedReason; readonly count: number }
  | { readonly code: NamingReason; readonly names: readonly string[] }
  | { readonly code: 'open_findings'; readonly findings: number; readonly checks: number }
  | { readonly code: 'shown_by_checks'; readonly checks: number; readonly sources: number };

const plain: Readonly<Record<PlainReason, string>> = {
  attestation_expired: 'The latest attestation has expired. Renew or withdraw it.',
  results_outdated: `Some results are older than ${outdatedAfterDays} days. Run a new scan, or check the probe that reports them.`,
  attested_inapplicable: 'Does not apply, as attested.',
  attested_with_evidence: 'Attested with evidence.',
  attested_without_evidence: 'Attested without evidence. Link evidence to support this control.',
  attested_with_scans_only:
    'Attested with scans only, which prove no safeguard. Link a document as evidence.',
  specifications_supported: 'All of its specifications are supported.',
  applicable_specifications_supported: 'All of its applicable specifications are supported.',
  no_source_in_scope: 'None of the mapped checks ran: no source is in scope.',
  no_check: 'No check covers this control. Attest it and link evidence.',
  no_showing_check:
    'Checks can find problems here, but cannot show that the safeguard works. Attest it and link evidence.',
};

const counted: Readonly<Record<CountedReason, readonly [noun: string, rest: string]>> = {
  checks_not_assessed: ['check', 'could not be assessed on some sources.'],
  sources_not_scanned: ['source', 'never scanned. Run a scan.'],
  sources_not_reported: [
    'source',
    'in probe mode never assessed. Add a probe, or check why its probe fails.',
  ],
  checks_without_findings: ['check', 'found no problem.'],
  findings_accepted: ['finding', 'accepted until a date.'],
  findings_dismissed: ['finding', 'marked as a false positive.'],
  checks_partly_run: ['check', 'did not run on every scanned source.'],
  checks_not_passed: ['check', 'did not pass on every source.'],
};

const naming: Readonly<Record<NamingReason, (names: string) => string>> = {
  specifications_need_attention: names => `Needs attention: ${names}.`,
  specifications_not_supported: names => `Not supported: ${names}.`,
  specifications_inapplicable: names => `Does not apply, as attested: ${names}.`,
  supported_anyway: names => `Supported anyway: ${names}.`,
  no_source_of_kind: names =>
    `None of the mapped checks ran: no source of their kind is in scope (${names}).`,
  no_check_for_kinds: names => `No check can show this safeguard on these kinds of sources: ${names}.`,
};

export function reasonText(reason: ControlReason): string {
  if ('count' in reason) {
    const [noun, rest] = counted[reason.code];
    return `${count(reason.count, noun)} ${rest}`;
  }
  if ('names' in reason) {
    return naming[reason.code](reason.names.map(name => surfaceTitles[name] ?? name).join(', '));
  }
  if ('findings' in reason) {
    return `${count(reason.findings, 'open finding')} from ${count(reason.checks, 'check')}.`;
  }
  if ('sources' in reason) {
    const where = reason.sources === 1 ? 'the only source' : `all ${reason.sources} sources`;
    return `Shown by ${count(reason.checks, 'check')} on ${where} in scope.`;
  }
  return plain[reason.code];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
