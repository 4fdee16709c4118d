import type { ControlCheck } from '../../../src/contract/dashboard/controls.ts';
import { counted } from '../../formats/numbers.ts';

/** Open findings first, then what was not assessed, then what was. */
export function byRelevance(one: ControlCheck, other: ControlCheck): number {
  const weight = (check: ControlCheck) => check.open * 1e6 + check.not_assessed * 1e3 + check.assessed;
  return weight(other) - weight(one);
}

/** Counts of sources and findings. Only checks that show a safeguard working are reported as passed. */
export function checkSummary(check: ControlCheck): string {
  const { passed, not_assessed, outdated, not_applicable, open, accepted, false_positives } = check;
  const sources = (count: number) => counted(count, 'source');
  // Sources with a detection that is neither open nor triaged: it is information, not a finding.
  const informational = open + accepted + false_positives === 0 ? check.assessed - passed : 0;
  const parts = [
    passed > 0 && `${check.effect === 'shows' ? 'Passed' : 'No problem found'} on ${sources(passed)}`,
    open > 0 && `${open} open`,
    accepted > 0 && `${accepted} accepted`,
    false_positives > 0 && counted(false_positives, 'false positive'),
    not_assessed > 0 && `Not assessed on ${sources(not_assessed)}`,
    outdated > 0 && `Outdated on ${sources(outdated)}`,
    not_applicable > 0 && `Not applicable to ${sources(not_applicable)}`,
    informational > 0 && `Informational on ${sources(informational)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'Not assessed on any source';
}
