import { type Control, securityRule } from './security-rule.ts';

/** How far what is known supports a control. It is never a statement of compliance. */
type ControlState = 'supported' | 'attention' | 'not_assessed';

/** Days for which a look at a source says something about a control: "periodic" is to mean something. */
export const outdatedAfterDays = 90;

/** Days that an attestation may last: within a year (and a day for zones) somebody looks again. */
export const longestAttestation = 366;

/** What is known of one check, over the sources that count: all that are neither drafts nor disconnected. */
export interface CheckFacts {
  /** Sources on which it was assessed, by a look that is not outdated. */
  readonly assessed: number;
  /** Sources on which it could not look. */
  readonly not_assessed: number;
  /** Sources whose last look is outdated. */
  readonly outdated: number;
  /** Open findings above info. */
  readonly open: number;
  /** Findings that people have accepted until a date to come. */
  readonly accepted: number;
}

export interface ControlFacts {
  /** The checks that map to the control. */
  readonly checks: readonly CheckFacts[];
  /** Sources that such a check could look at, and that nothing has looked at yet. */
  readonly unseen_sources: number;
  readonly attestation: 'current' | 'expired' | 'none';
}

export interface JudgedControl {
  readonly state: ControlState;
  /** Why, in sentences for people; what weighs most comes first. */
  readonly reasons: readonly string[];
}

const nothing: ControlFacts = { checks: [], unseen_sources: 0, attestation: 'none' };

/**
 * The state of every control of the Security Rule, by citation. `docs/controls.md` has the rules:
 * - attention: a mapped check has an open finding above info, or the last attestation has expired, or, of a standard,
 *   one of its specifications needs attention;
 * - supported, otherwise: an attestation holds; or mapped checks were assessed, and none of them could not look, is
 *   outdated, or has a source before it that nothing has looked at; or it is a standard without facts of its own, all
 *   of whose specifications are supported;
 * - not assessed, otherwise.
 */
export function judgeControls(facts: ReadonlyMap<string, ControlFacts>): Map<string, JudgedControl> {
  const judged = new Map<string, JudgedControl>();
  const all = securityRule.flatMap(({ controls }) => controls);
  for (const control of all.filter(({ standard }) => standard !== null)) {
    judged.set(control.citation, judge(facts.get(control.citation) ?? nothing));
  }
  for (const control of all.filter(({ standard }) => standard === null)) {
    const parts = all.filter(({ standard }) => standard === control.citation);
    judged.set(
      control.citation,
      withSpecifications(judge(facts.get(control.citation) ?? nothing), parts, judged),
    );
  }
  return judged;
}

function judge(facts: ControlFacts): JudgedControl {
  const sum = (of: keyof CheckFacts) => facts.checks.reduce((total, check) => total + check[of], 0);
  const checksWith = (of: keyof CheckFacts) => facts.checks.filter(check => check[of] > 0).length;
  const wrong: string[] = [];
  const missing: string[] = [];
  const good: string[] = [];
  if (sum('open') > 0) {
    wrong.push(`${count(sum('open'), 'open finding')} of ${count(checksWith('open'), 'check')}.`);
  }
  if (facts.attestation === 'expired') wrong.push('The last attestation has expired: renew or withdraw it.');
  if (sum('not_assessed') > 0)
    missing.push(`${count(checksWith('not_assessed'), 'check')} could not look everywhere.`);
  if (sum('outdated') > 0) missing.push(`A look is older than ${outdatedAfterDays} days: scan again.`);
  if (facts.unseen_sources > 0)
    missing.push(`${count(facts.unseen_sources, 'source')} never looked at: scan.`);
  if (facts.attestation === 'current') good.push('An attestation holds.');
  if (sum('assessed') > 0) {
    const clear = sum('open') === 0 ? ' and found nothing open above info' : '';
    good.push(`${count(checksWith('assessed'), 'check')} looked${clear}.`);
  }
  if (sum('accepted') > 0)
    good.push(`${count(sum('accepted'), 'finding')} accepted as a risk, until a date.`);
  if (wrong.length > 0) return { state: 'attention', reasons: [...wrong, ...missing, ...good] };
  const supported = facts.attestation === 'current' || (sum('assessed') > 0 && missing.length === 0);
  if (supported) return { state: 'supported', reasons: [...good, ...missing] };
  return {
    state: 'not_assessed',
    reasons: missing.length + good.length > 0 ? [...missing, ...good] : [unknown(facts)],
  };
}

function withSpecifications(
  own: JudgedControl,
  parts: readonly Control[],
  judged: ReadonlyMap<string, JudgedControl>,
): JudgedControl {
  const statesOf = (state: ControlState) => parts.filter(part => judged.get(part.citation)?.state === state);
  const troubled = statesOf('attention');
  if (troubled.length > 0) {
    const names = troubled.map(({ title }) => title).join(', ');
    return { state: 'attention', reasons: [...reasonsOf(own), `Needs attention: ${names}.`] };
  }
  const hasFacts = reasonsOf(own).length > 0;
  if (!hasFacts && parts.length > 0 && statesOf('supported').length === parts.length) {
    return { state: 'supported', reasons: ['All of its specifications are supported.'] };
  }
  return own;
}

const unseen = 'Nothing has looked yet: scan a source.';
const unseeable = 'No scan sees this: attest what is in place.';

/** What to do about a control of which nothing is known. */
function unknown({ checks }: ControlFacts): string {
  return checks.length > 0 ? unseen : unseeable;
}

/** The reasons that say what is known. */
function reasonsOf({ reasons }: JudgedControl): readonly string[] {
  return reasons.filter(reason => reason !== unseen && reason !== unseeable);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
