import { surfaceTitles } from './check-description.ts';
import type { SafeguardMapping } from './safeguards.ts';
import { type Control, securityRule } from './security-rule.ts';

/** How far what is known supports a control. It is never a statement of compliance. */
type ControlState = 'supported' | 'attention' | 'attested' | 'not_assessed';

/** Days for which a result of a check says something about a control: "periodic" is to mean something. */
export const outdatedAfterDays = 90;

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
  /** Sources whose result is outdated. */
  readonly outdated: number;
  /** Open findings above info. */
  readonly open: number;
  /** Findings that people have accepted until a date to come. */
  readonly accepted: number;
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
  /** The newest attestation that was not withdrawn: `bare` has no evidence that is still kept. */
  readonly attestation: 'evidenced' | 'bare' | 'expired' | 'none';
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
 * - supported, otherwise: an attestation with evidence is current; or on every source in scope the checks that can show the
 *   safeguard have passed, and no mapped check has a gap; or, of a standard with specifications, all of them are supported;
 * - attested, otherwise: an attestation without evidence is current;
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
  const shown = gaps.length === 0 && isShown(facts);
  const known = [...strengthsOf(facts, shown), ...acceptedOf(facts)];
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...gaps, ...known] };
  if (attestation === 'evidenced' || shown) return { state: 'supported', reasons: [...known, ...gaps] };
  if (attestation === 'bare') return { state: 'attested', reasons: [bare, ...gaps, ...known] };
  return { state: 'not_assessed', reasons: [...gaps, ...whyNotShown(facts), ...known] };
}

/** A standard follows from its specifications: scans of its own checks can lower it, and do not support it. */
function judgeStandard(
  facts: ControlFacts,
  parts: readonly Control[],
  judged: ReadonlyMap<string, JudgedControl>,
): JudgedControl {
  const wrong = problemsOf(facts);
  const gaps = gapsOf(facts);
  const known = [...strengthsOf(facts, false), ...acceptedOf(facts)];
  const stateOf = ({ citation }: Control) => judged.get(citation)!.state;
  const troubled = parts.filter(part => stateOf(part) === 'attention');
  if (troubled.length > 0) wrong.push(`Needs attention: ${titlesOf(troubled)}.`);
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...gaps, ...known] };
  const unsupported = parts.filter(part => stateOf(part) !== 'supported');
  const missing = unsupported.length > 0 ? [`Not supported: ${titlesOf(unsupported)}.`] : [];
  if (facts.attestation === 'evidenced')
    return { state: 'supported', reasons: [...known, ...gaps, ...missing] };
  if (missing.length === 0 && gaps.length === 0)
    return { state: 'supported', reasons: ['All of its specifications are supported.', ...known] };
  const reasons = [...missing, ...gaps, ...known];
  if (facts.attestation === 'bare') return { state: 'attested', reasons: [bare, ...reasons] };
  return { state: 'not_assessed', reasons };
}

const bare = 'Attested without evidence: link evidence to support this control.';

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
      ? [`${checksWith(facts, 'not_assessed')} could not be assessed on every source.`]
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
  const known = facts.attestation === 'evidenced' ? ['Attested, with evidence.'] : [];
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

function acceptedOf(facts: ControlFacts): string[] {
  const accepted = total(facts, 'accepted');
  return accepted > 0 ? [`${count(accepted, 'finding')} accepted as a risk until a date.`] : [];
}

/** Why scans do not support the control, and what would. */
function whyNotShown(facts: ControlFacts): string[] {
  const attest = 'attest it and link evidence.';
  if (facts.checks.length === 0) return [`No scan covers this: ${attest}`];
  if (showing(facts).length === 0)
    return [`Checks can find problems here, but not show that the safeguard works: ${attest}`];
  if (facts.scope.size === 0) return ['No sources in scope: add and scan a source.'];
  const kinds = uncoveredKinds(facts).map(kind => surfaceTitles[kind] ?? kind);
  const failed = unshown(facts).length;
  return [
    ...(kinds.length > 0 ? [`No check can show this on these sources: ${kinds.join(', ')}.`] : []),
    ...(failed > 0 ? [`${count(failed, 'check')} did not pass on every source.`] : []),
  ];
}

const titlesOf = (controls: readonly Control[]) => controls.map(({ title }) => title).join(', ');

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
