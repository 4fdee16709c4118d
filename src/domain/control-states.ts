import { isSourceKind } from './check-description.ts';
import type { ControlReason, CountedReason, NamingReason } from './control-reasons.ts';
import type { SafeguardMapping } from './safeguards.ts';
import { type Control, securityRule } from './security-rule.ts';

/** Whether current results support a control. Never a statement of compliance. */
type ControlState = 'supported' | 'attention' | 'attested' | 'not_assessed' | 'not_applicable';

/** Maximum validity of an attestation in days: a leap year. */
export const longestAttestation = 366;

/** Results of one check on the sources in scope, which are neither drafts nor disconnected. */
export interface CheckFacts {
  /** Sources with a pass that is not outdated. */
  readonly passed: number;
  /** Sources with a result that is not outdated, with or without a finding. */
  readonly assessed: number;
  /** Sources on which it was not assessed. */
  readonly not_assessed: number;
  /** Sources to which it does not apply. */
  readonly not_applicable: number;
  /** Sources with an outdated result. */
  readonly outdated: number;
  /** Open findings above info. */
  readonly open: number;
  /** Accepted findings. */
  readonly accepted: number;
  /** Findings marked as false positives. */
  readonly false_positives: number;
}

export const noFacts: CheckFacts = {
  passed: 0,
  assessed: 0,
  not_assessed: 0,
  not_applicable: 0,
  outdated: 0,
  open: 0,
  accepted: 0,
  false_positives: 0,
};

/** Sources of a kind that are in scope. */
interface SourcesOfKind {
  readonly sources: number;
  /** Those that were never scanned. */
  readonly unscanned: number;
  /** Those of them that only a probe can assess. */
  readonly unreported: number;
}

/** By kind. */
export type SourceScope = ReadonlyMap<string, SourcesOfKind>;

export interface ControlFacts {
  /** Checks that map to the control. */
  readonly checks: readonly (CheckFacts & {
    readonly surface: string;
    readonly effect: SafeguardMapping['effect'];
  })[];
  readonly scope: SourceScope;
  /**
   * The latest attestation, unless withdrawn. `bare`: without retained evidence. `unproven`: with scans only. `inapplicable`: states
   * that the control does not apply.
   */
  readonly attestation: 'evidenced' | 'unproven' | 'bare' | 'inapplicable' | 'expired' | 'none';
}

export interface JudgedControl {
  readonly state: ControlState;
  /** Most important first. */
  readonly reasons: readonly ControlReason[];
}

const nothing: ControlFacts = { checks: [], scope: new Map(), attestation: 'none' };

/**
 * Determines the state of every control of the Security Rule, by citation. The first rule that matches decides (docs/controls.md):
 * - attention: a mapped check has an open finding above info, the latest attestation has expired, or a specification of a standard
 *   needs attention;
 * - not applicable: a current attestation states it;
 * - supported: a current attestation has evidence; or the checks that can show the safeguard passed on every source in scope, and no
 *   mapped check has a gap, an accepted finding or a false positive. A standard with specifications is supported if all applicable ones
 *   are, and its own checks have no gap or it is attested with evidence;
 * - attested: an attestation is current;
 * - not assessed. A check that found no problem supports nothing.
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

/** A standard follows from its specifications: its own checks and attestation cannot replace one of them. */
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

/** @param best state of a control that is attested with evidence */
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

/** Reasons why results are missing or outdated. */
function gapsOf(facts: ControlFacts): ControlReason[] {
  const surfaces = new Set(facts.checks.map(({ surface }) => surface));
  const sourcesWith = (of: keyof SourcesOfKind) =>
    [...surfaces].reduce((sum, kind) => sum + (facts.scope.get(kind)?.[of] ?? 0), 0);
  const unreported = sourcesWith('unreported');
  return [
    ...counting('checks_not_assessed', checksWith(facts, 'not_assessed')),
    ...(total(facts, 'outdated') > 0 ? [{ code: 'results_outdated' } as const] : []),
    ...counting('sources_not_scanned', sourcesWith('unscanned') - unreported),
    ...counting('sources_not_reported', unreported),
  ];
}

const showing = ({ checks }: ControlFacts) => checks.filter(({ effect }) => effect === 'shows');

/** Whether every source in scope has at least one check that can show the safeguard, and all such checks passed. */
function isShown(facts: ControlFacts): boolean {
  return facts.scope.size > 0 && uncoveredKinds(facts).length === 0 && unshown(facts).length === 0;
}

/** Kinds of sources in scope without a check that can show the safeguard. */
function uncoveredKinds(facts: ControlFacts): string[] {
  const covered = new Set(showing(facts).map(({ surface }) => surface));
  return [...facts.scope.keys()].filter(kind => !covered.has(kind));
}

/** Checks that can show the safeguard, but did not pass on every source of their kind. */
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
  // A check with accepted or info findings did find a problem.
  const clean = facts.checks.filter(({ passed, assessed }) => passed > 0 && passed === assessed).length;
  return [...known, ...counting('checks_without_findings', clean)];
}

/** Triaged findings do not show a safeguard. */
function triagedOf(facts: ControlFacts): ControlReason[] {
  return [
    ...counting('findings_accepted', total(facts, 'accepted')),
    ...counting('findings_dismissed', total(facts, 'false_positives')),
  ];
}

/** The reason if no mapped check ran because no source of its kind is in scope. */
function notRun({ checks, scope }: ControlFacts): ControlReason[] {
  const kinds = [...new Set(checks.map(({ surface }) => surface))].filter(isSourceKind);
  if (kinds.length === 0 || kinds.some(kind => scope.has(kind))) return [];
  return scope.size === 0 ? [{ code: 'no_source_in_scope' }] : naming('no_source_of_kind', kinds);
}

/** The reason if some mapped checks have no result on scanned sources of their kind. */
function partlyRun({ checks, scope }: ControlFacts): ControlReason[] {
  const missing = checks.filter(({ surface, assessed, not_assessed, not_applicable, outdated }) => {
    const { sources, unscanned } = scope.get(surface) ?? { sources: 0, unscanned: 0 };
    return assessed + not_assessed + not_applicable + outdated < sources - unscanned;
  }).length;
  return counting('checks_partly_run', missing);
}

/** Why checks do not show the safeguard. */
function unshownReasons(facts: ControlFacts): ControlReason[] {
  if (facts.scope.size === 0 || showing(facts).length === 0) return [];
  return [
    ...naming('no_check_for_kinds', uncoveredKinds(facts)),
    ...counting('checks_not_passed', unshown(facts).length),
  ];
}

/** The reason if checks cannot support the control. */
function whatWould(facts: ControlFacts): ControlReason[] {
  if (facts.checks.length === 0) return [{ code: 'no_check' }];
  return showing(facts).length === 0 ? [{ code: 'no_showing_check' }] : [];
}

function counting(code: CountedReason, count: number): ControlReason[] {
  return count > 0 ? [{ code, count }] : [];
}

function naming(code: NamingReason, names: readonly string[]): ControlReason[] {
  return names.length > 0 ? [{ code, names }] : [];
}

const titlesOf = (controls: readonly Control[]) => controls.map(({ title }) => title);
