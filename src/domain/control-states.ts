import { outdatedAfterDays } from '../contract/dashboard/outdated.ts';
import { surfaceTitles } from './check-description.ts';
import type { SafeguardMapping } from './safeguards.ts';
import { type Control, securityRule } from './security-rule.ts';

/** How far what is known supports a control. It is never a statement of compliance. */
type ControlState = 'supported' | 'attention' | 'attested' | 'not_assessed' | 'not_applicable';

/** Days that an attestation may last: within a year (and a day for zones) somebody confirms it again. */
export const longestAttestation = 366;

/** What is known of one check, over the sources in scope: all that are neither drafts nor disconnected. */
export interface CheckFacts {
  /** Sources on which it passed, by a result that is not outdated. */
  readonly passed: number;
  /** Sources on which it was assessed, with or without a finding, by a result that is not outdated. */
  readonly assessed: number;
  /** Sources on which it could not be assessed. */
  readonly not_assessed: number;
  /** Sources to which it does not apply. */
  readonly not_applicable: number;
  /** Sources whose result is outdated. */
  readonly outdated: number;
  /** Open findings above info. */
  readonly open: number;
  /** Findings that people have accepted until a date to come. */
  readonly accepted: number;
  /** Findings that people have marked as false positives. */
  readonly false_positives: number;
}

/** The sources in scope, and how many of them were never scanned, by kind. */
export type SourceScope = ReadonlyMap<string, { readonly sources: number; readonly unscanned: number }>;

export interface ControlFacts {
  /** The checks that map to the control. */
  readonly checks: readonly (CheckFacts & {
    readonly surface: string;
    readonly effect: SafeguardMapping['effect'];
  })[];
  readonly scope: SourceScope;
  /**
   * The newest attestation, unless it was withdrawn: `bare` has no evidence that is still kept, and `unproven` none but scans;
   * `inapplicable` states that the control does not apply.
   */
  readonly attestation: 'evidenced' | 'unproven' | 'bare' | 'inapplicable' | 'expired' | 'none';
}

export interface JudgedControl {
  readonly state: ControlState;
  /** Why, in sentences for people; what weighs most comes first. */
  readonly reasons: readonly string[];
}

const nothing: ControlFacts = { checks: [], scope: new Map(), attestation: 'none' };

/**
 * The state of every control of the Security Rule, by citation. `docs/controls.md` has the rules:
 * - attention: a mapped check has an open finding above info, or the newest attestation has expired, or, of a standard,
 *   one of its specifications needs attention;
 * - not applicable, otherwise: a current attestation says so;
 * - supported, otherwise: an attestation with evidence is current; or on every source in scope the checks that can show the
 *   safeguard have passed, and no mapped check has a gap or a finding that was accepted or marked as a false positive. A standard with specifications is supported when all that apply are, and
 *   either its own checks have no gap or it is attested with evidence itself;
 * - attested, otherwise: an attestation is current;
 * - not assessed, otherwise. That a check found no problem supports nothing.
 */
export function judgeControls(facts: ReadonlyMap<string, ControlFacts>): Map<string, JudgedControl> {
  const judged = new Map<string, JudgedControl>();
  const all = securityRule.flatMap(({ controls }) => controls);
  const factsOf = ({ citation }: Control) => facts.get(citation) ?? nothing;
  for (const control of all.filter(({ standard }) => standard !== null)) {
    judged.set(control.citation, judge(factsOf(control)));
  }
  for (const control of all.filter(({ standard }) => standard === null)) {
    const parts = all.filter(({ standard }) => standard === control.citation);
    const state =
      parts.length === 0 ? judge(factsOf(control)) : judgeStandard(factsOf(control), parts, judged);
    judged.set(control.citation, state);
  }
  return judged;
}

function judge(facts: ControlFacts): JudgedControl {
  const { attestation } = facts;
  const wrong = problemsOf(facts);
  const gaps = gapsOf(facts);
  const reserves = [...decidedOf(facts), ...partlyRun(facts)];
  const shown = gaps.length + reserves.length === 0 && isShown(facts);
  const known = [...strengthsOf(facts, shown), ...reserves];
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...gaps, ...known] };
  if (attestation === 'inapplicable') {
    return { state: 'not_applicable', reasons: [inapplicable, ...gaps, ...known] };
  }
  if (shown) return { state: 'supported', reasons: known };
  const doubts = [...gaps, ...notRun(facts), ...unshownReasons(facts)];
  if (attestation === 'evidenced') {
    return { state: 'supported', reasons: [evidenced, ...doubts, ...reserves] };
  }
  const unproven = unprovenReasons[attestation];
  if (unproven) return { state: 'attested', reasons: [unproven, ...doubts, ...known] };
  return { state: 'not_assessed', reasons: [...doubts, ...whatWould(facts), ...known] };
}

/** A standard follows from its specifications: nothing of its own stands in for one of them. */
function judgeStandard(
  facts: ControlFacts,
  parts: readonly Control[],
  judged: ReadonlyMap<string, JudgedControl>,
): JudgedControl {
  const { attestation } = facts;
  const wrong = problemsOf(facts);
  const gaps = gapsOf(facts);
  const reserves = [...decidedOf(facts), ...notRun(facts), ...partlyRun(facts)];
  const known = [...strengthsOf(facts, false), ...reserves];
  const stateOf = ({ citation }: Control) => judged.get(citation)!.state;
  const troubled = parts.filter(part => stateOf(part) === 'attention');
  if (troubled.length > 0) wrong.push(`Needs attention: ${titlesOf(troubled)}.`);
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...gaps, ...known] };
  if (attestation === 'inapplicable') {
    const supported = parts.filter(part => stateOf(part) === 'supported');
    const contrary = supported.length > 0 ? [`Supported all the same: ${titlesOf(supported)}.`] : [];
    return { state: 'not_applicable', reasons: [inapplicable, ...contrary, ...gaps, ...known] };
  }
  const exempt = parts.filter(part => stateOf(part) === 'not_applicable');
  const unsupported = parts.filter(part => stateOf(part) !== 'supported' && !exempt.includes(part));
  const some = exempt.length < parts.length;
  if (unsupported.length === 0 && some && (gaps.length === 0 || attestation === 'evidenced')) {
    const all = exempt.length > 0 ? 'All of its specifications that apply' : 'All of its specifications';
    return {
      state: 'supported',
      reasons: [`${all} are supported.`, ...exemptOf(exempt), ...known, ...gaps],
    };
  }
  const missing = unsupported.length > 0 ? [`Not supported: ${titlesOf(unsupported)}.`] : exemptOf(exempt);
  if (attestation === 'evidenced') {
    return { state: 'attested', reasons: [evidenced, ...missing, ...gaps, ...reserves] };
  }
  const unproven = unprovenReasons[attestation];
  if (unproven) return { state: 'attested', reasons: [unproven, ...missing, ...gaps, ...known] };
  return { state: 'not_assessed', reasons: [...missing, ...gaps, ...known] };
}

const inapplicable = 'It does not apply, as attested.';
const evidenced = 'Attested, with evidence.';
const unprovenReasons: Readonly<Partial<Record<ControlFacts['attestation'], string>>> = {
  bare: 'Attested without evidence: link evidence to support this control.',
  unproven: 'Attested with scans alone, which prove no safeguard: link a document that does.',
};

const total = ({ checks }: ControlFacts, of: keyof CheckFacts) =>
  checks.reduce((sum, check) => sum + check[of], 0);
const checksWith = ({ checks }: ControlFacts, of: keyof CheckFacts) =>
  count(checks.filter(check => check[of] > 0).length, 'check');

function problemsOf(facts: ControlFacts): string[] {
  const open = total(facts, 'open');
  return [
    ...(open > 0 ? [`${count(open, 'open finding')} from ${checksWith(facts, 'open')}.`] : []),
    ...(facts.attestation === 'expired' ? ['The latest attestation has expired: renew or withdraw it.'] : []),
  ];
}

/** What keeps the checks from saying anything about all sources in scope. */
function gapsOf(facts: ControlFacts): string[] {
  const surfaces = new Set(facts.checks.map(({ surface }) => surface));
  const unscanned = [...surfaces].reduce((sum, kind) => sum + (facts.scope.get(kind)?.unscanned ?? 0), 0);
  return [
    ...(total(facts, 'not_assessed') > 0
      ? [`${checksWith(facts, 'not_assessed')} could not be assessed on some sources.`]
      : []),
    ...(total(facts, 'outdated') > 0
      ? [`Results are older than ${outdatedAfterDays} days: scan again.`]
      : []),
    ...(unscanned > 0 ? [`${count(unscanned, 'source')} never scanned: run a scan.`] : []),
  ];
}

const showing = ({ checks }: ControlFacts) => checks.filter(({ effect }) => effect === 'shows');

/** On every source in scope, each check of its kind that can show the safeguard has passed, and there is one. */
function isShown(facts: ControlFacts): boolean {
  return facts.scope.size > 0 && uncoveredKinds(facts).length === 0 && unshown(facts).length === 0;
}

/** Kinds of sources in scope on which no check can show the safeguard. */
function uncoveredKinds(facts: ControlFacts): string[] {
  const covered = new Set(showing(facts).map(({ surface }) => surface));
  return [...facts.scope.keys()].filter(kind => !covered.has(kind));
}

/** Checks that can show the safeguard, and have not on every source of their kind. */
function unshown(facts: ControlFacts) {
  return showing(facts).filter(({ surface, passed }) => passed < (facts.scope.get(surface)?.sources ?? 0));
}

function strengthsOf(facts: ControlFacts, shown: boolean): string[] {
  const known = facts.attestation === 'evidenced' ? [evidenced] : [];
  if (shown) {
    const relevant = showing(facts).filter(({ surface }) => facts.scope.has(surface)).length;
    const sources = [...facts.scope.values()].reduce((sum, kind) => sum + kind.sources, 0);
    const where = sources === 1 ? 'the only source' : `all ${sources} sources`;
    return [...known, `Shown by ${count(relevant, 'check')} on ${where} in scope.`];
  }
  // What was observed and accepted, or is information, is a problem found all the same.
  const clean = facts.checks.filter(({ passed, assessed }) => passed > 0 && passed === assessed).length;
  return clean > 0 ? [...known, `${count(clean, 'check')} found no problem.`] : known;
}

/** What people have decided about findings: none of it shows a safeguard. */
function decidedOf(facts: ControlFacts): string[] {
  const accepted = total(facts, 'accepted');
  const dismissed = total(facts, 'false_positives');
  return [
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted as a risk until a date.`] : []),
    ...(dismissed > 0 ? [`${count(dismissed, 'finding')} marked as a false positive.`] : []),
  ];
}

/** That no mapped check ran at all, for want of a source of its kind. */
function notRun({ checks, scope }: ControlFacts): string[] {
  const surfaces = [...new Set(checks.map(({ surface }) => surface))];
  if (surfaces.length === 0 || surfaces.some(kind => scope.has(kind))) return [];
  if (scope.size === 0) return ['None of the mapped checks ran: no source is in scope.'];
  return [`None of the mapped checks ran: no source of their kind is in scope (${kindTitles(surfaces)}).`];
}

/** That some mapped checks have no result on sources of their kind which were scanned. */
function partlyRun({ checks, scope }: ControlFacts): string[] {
  const missing = checks.filter(({ surface, assessed, not_assessed, not_applicable, outdated }) => {
    const { sources, unscanned } = scope.get(surface) ?? { sources: 0, unscanned: 0 };
    return assessed + not_assessed + not_applicable + outdated < sources - unscanned;
  }).length;
  return missing > 0 ? [`${count(missing, 'check')} did not run on every scanned source.`] : [];
}

/** Why the checks that can show the safeguard do not. */
function unshownReasons(facts: ControlFacts): string[] {
  if (facts.scope.size === 0 || showing(facts).length === 0) return [];
  const kinds = uncoveredKinds(facts);
  const failed = unshown(facts).length;
  return [
    ...(kinds.length > 0 ? [`No check can show this on these sources: ${kindTitles(kinds)}.`] : []),
    ...(failed > 0 ? [`${count(failed, 'check')} did not pass on every source.`] : []),
  ];
}

/** What would support the control where checks cannot. */
function whatWould(facts: ControlFacts): string[] {
  const attest = 'attest it and link evidence.';
  if (facts.checks.length === 0) return [`No scan covers this: ${attest}`];
  if (showing(facts).length === 0)
    return [`Checks can find problems here, but not show that the safeguard works: ${attest}`];
  return [];
}

const kindTitles = (kinds: readonly string[]) => kinds.map(kind => surfaceTitles[kind] ?? kind).join(', ');
const exemptOf = (parts: readonly Control[]) =>
  parts.length > 0 ? [`Does not apply, as attested: ${titlesOf(parts)}.`] : [];

const titlesOf = (controls: readonly Control[]) => controls.map(({ title }) => title).join(', ');

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
