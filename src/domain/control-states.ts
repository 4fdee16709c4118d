import type { ControlReason, CountedReason, NamingReason } from './control-reasons.ts';
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
  /** Why; what weighs most comes first. */
  readonly reasons: readonly ControlReason[];
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
  const gaps = gapsOf(facts);
  const reserves = [...triagedOf(facts), ...partlyRun(facts)];
  const shown = gaps.length + reserves.length === 0 && isShown(facts);
  const known = [...strengthsOf(facts, shown), ...reserves];
  const doubts = [...gaps, ...notRun(facts), ...unshownReasons(facts)];
  return (
    wrongOrInapplicable(facts, problemsOf(facts), [...gaps, ...known]) ??
    (shown ? { state: 'supported', reasons: known } : null) ??
    attested(facts, 'supported', doubts, known, reserves) ?? {
      state: 'not_assessed',
      reasons: [...doubts, ...whatWould(facts), ...known],
    }
  );
}

/** A standard follows from its specifications: nothing of its own stands in for one of them. */
function judgeStandard(
  facts: ControlFacts,
  parts: readonly Control[],
  judged: ReadonlyMap<string, JudgedControl>,
): JudgedControl {
  const gaps = gapsOf(facts);
  const reserves = [...triagedOf(facts), ...notRun(facts), ...partlyRun(facts)];
  const known = [...strengthsOf(facts, false), ...reserves];
  const stateOf = ({ citation }: Control) => judged.get(citation)!.state;
  const [troubled, supported, exempt] = (['attention', 'supported', 'not_applicable'] as const).map(state =>
    parts.filter(part => stateOf(part) === state),
  ) as [Control[], Control[], Control[]];
  const wrong = [...problemsOf(facts), ...naming('specifications_need_attention', titlesOf(troubled))];
  const contrary = [...naming('supported_anyway', titlesOf(supported)), ...gaps, ...known];
  const unsupported = parts.filter(part => !supported.includes(part) && !exempt.includes(part));
  const allSupported =
    unsupported.length === 0 &&
    supported.length > 0 &&
    (gaps.length === 0 || facts.attestation === 'evidenced');
  const inapplicable = naming('specifications_inapplicable', titlesOf(exempt));
  const missing =
    unsupported.length > 0 ? naming('specifications_not_supported', titlesOf(unsupported)) : inapplicable;
  return (
    wrongOrInapplicable(facts, wrong, wrong.length > 0 ? [...gaps, ...known] : contrary) ??
    (allSupported
      ? {
          state: 'supported',
          reasons: [
            { code: exempt.length > 0 ? 'applicable_specifications_supported' : 'specifications_supported' },
            ...inapplicable,
            ...known,
            ...gaps,
          ],
        }
      : null) ??
    attested(facts, 'attested', [...missing, ...gaps], known, reserves) ?? {
      state: 'not_assessed',
      reasons: [...missing, ...gaps, ...known],
    }
  );
}

function wrongOrInapplicable(
  { attestation }: ControlFacts,
  wrong: readonly ControlReason[],
  known: readonly ControlReason[],
): JudgedControl | null {
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...known] };
  if (attestation !== 'inapplicable') return null;
  return { state: 'not_applicable', reasons: [{ code: 'attested_inapplicable' }, ...known] };
}

/** @param best what an attestation with evidence makes of the control */
function attested(
  { attestation }: ControlFacts,
  best: 'supported' | 'attested',
  doubts: readonly ControlReason[],
  known: readonly ControlReason[],
  reserves: readonly ControlReason[],
): JudgedControl | null {
  switch (attestation) {
    case 'evidenced':
      return { state: best, reasons: [{ code: 'attested_with_evidence' }, ...doubts, ...reserves] };
    case 'bare':
      return { state: 'attested', reasons: [{ code: 'attested_without_evidence' }, ...doubts, ...known] };
    case 'unproven':
      return { state: 'attested', reasons: [{ code: 'attested_with_scans_only' }, ...doubts, ...known] };
    default:
      return null;
  }
}

const total = ({ checks }: ControlFacts, of: keyof CheckFacts) =>
  checks.reduce((sum, check) => sum + check[of], 0);
const checksWith = ({ checks }: ControlFacts, of: keyof CheckFacts) =>
  checks.filter(check => check[of] > 0).length;

function problemsOf(facts: ControlFacts): ControlReason[] {
  const findings = total(facts, 'open');
  return [
    ...(findings > 0
      ? [{ code: 'open_findings', findings, checks: checksWith(facts, 'open') } as const]
      : []),
    ...(facts.attestation === 'expired' ? [{ code: 'attestation_expired' } as const] : []),
  ];
}

/** What keeps the checks from saying anything about all sources in scope. */
function gapsOf(facts: ControlFacts): ControlReason[] {
  const surfaces = new Set(facts.checks.map(({ surface }) => surface));
  const unscanned = [...surfaces].reduce((sum, kind) => sum + (facts.scope.get(kind)?.unscanned ?? 0), 0);
  return [
    ...counting('checks_not_assessed', checksWith(facts, 'not_assessed')),
    ...(total(facts, 'outdated') > 0 ? [{ code: 'results_outdated' } as const] : []),
    ...counting('sources_not_scanned', unscanned),
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

function strengthsOf(facts: ControlFacts, shown: boolean): ControlReason[] {
  const known = facts.attestation === 'evidenced' ? [{ code: 'attested_with_evidence' } as const] : [];
  if (shown) {
    const checks = showing(facts).filter(({ surface }) => facts.scope.has(surface)).length;
    const sources = [...facts.scope.values()].reduce((sum, kind) => sum + kind.sources, 0);
    return [...known, { code: 'shown_by_checks', checks, sources }];
  }
  // What was observed and accepted, or is information, is a problem found all the same.
  const clean = facts.checks.filter(({ passed, assessed }) => passed > 0 && passed === assessed).length;
  return [...known, ...counting('checks_without_findings', clean)];
}

/** What people have triaged: none of it shows a safeguard. */
function triagedOf(facts: ControlFacts): ControlReason[] {
  return [
    ...counting('findings_accepted', total(facts, 'accepted')),
    ...counting('findings_dismissed', total(facts, 'false_positives')),
  ];
}

/** That no mapped check ran at all, for want of a source of its kind. */
function notRun({ checks, scope }: ControlFacts): ControlReason[] {
  const kinds = [...new Set(checks.map(({ surface }) => surface))];
  if (kinds.length === 0 || kinds.some(kind => scope.has(kind))) return [];
  return scope.size === 0 ? [{ code: 'no_source_in_scope' }] : naming('no_source_of_kind', kinds);
}

/** That some mapped checks have no result on sources of their kind which were scanned. */
function partlyRun({ checks, scope }: ControlFacts): ControlReason[] {
  const missing = checks.filter(({ surface, assessed, not_assessed, not_applicable, outdated }) => {
    const { sources, unscanned } = scope.get(surface) ?? { sources: 0, unscanned: 0 };
    return assessed + not_assessed + not_applicable + outdated < sources - unscanned;
  }).length;
  return counting('checks_partly_run', missing);
}

/** Why the checks that can show the safeguard do not. */
function unshownReasons(facts: ControlFacts): ControlReason[] {
  if (facts.scope.size === 0 || showing(facts).length === 0) return [];
  return [
    ...naming('no_check_for_kinds', uncoveredKinds(facts)),
    ...counting('checks_not_passed', unshown(facts).length),
  ];
}

/** What would support the control where checks cannot. */
function whatWould(facts: ControlFacts): ControlReason[] {
  if (facts.checks.length === 0) return [{ code: 'no_check' }];
  return showing(facts).length === 0 ? [{ code: 'no_showing_check' }] : [];
}

/** The reason if there are any. */
function counting(code: CountedReason, count: number): ControlReason[] {
  return count > 0 ? [{ code, count }] : [];
}

/** The reason with what it names, if there is any. */
function naming(code: NamingReason, names: readonly string[]): ControlReason[] {
  return names.length > 0 ? [{ code, names }] : [];
}

const titlesOf = (controls: readonly Control[]) => controls.map(({ title }) => title);
