import type { Check, Detection, Detector, Places } from '../detectors/detector.ts';
import type { SeenFlaw } from '../domain/finding-changes.ts';
import { fingerprint } from '../domain/fingerprint.ts';

/** How one detector's run ended, and what it saw. */
interface InspectedRun {
  readonly detector: string;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed, in a word. */
  readonly cause?: string;
}

/** What became of one check. */
interface CheckOutcome {
  readonly check: string;
  readonly outcome: 'passed' | 'observed' | 'not_assessed' | 'not_applicable';
  /** Why it was not assessed or does not apply. */
  readonly reason: string | null;
}

export interface Inspection {
  readonly runs: readonly InspectedRun[];
  readonly seen: readonly SeenFlaw[];
  /** Every check of the detectors that ran. */
  readonly outcomes: readonly CheckOutcome[];
  /** Ids of the checks that looked everywhere, those that they had before, and those of checks that exist no more. */
  readonly assessed: ReadonlySet<string>;
  /** Of checks that look at certain places only, by all their ids. */
  readonly places: ReadonlyMap<string, Places>;
}

/** Runs the detectors on a source's evidence. One detector's fault fails its own run only. */
export function detectAll(
  sourceId: string,
  detectors: readonly Detector<unknown>[],
  evidence: unknown,
): Inspection {
  const runs: InspectedRun[] = [];
  const seen: SeenFlaw[] = [];
  const outcomes: CheckOutcome[] = [];
  const assessed = new Set<string>();
  const places = new Map<string, Places>();
  for (const detector of detectors) {
    let detection: Detection;
    try {
      detection = detector.detect(evidence);
    } catch {
      runs.push({ detector: detector.name, status: 'failed', cause: 'detector_error' });
      outcomes.push(...notAssessedFor([detector], 'detector_error'));
      continue;
    }
    const checks = new Map(detector.checks.map(check => [check.id, check]));
    for (const { check, ...observation } of detection.observations) {
      seen.push(flawOf(sourceId, checks.get(check)!, observation));
    }
    for (const [id, looked] of placesOf(detector, detection)) places.set(id, looked);
    for (const id of assessedIds(detector, detection)) assessed.add(id);
    outcomes.push(...outcomesOf(detector, detection));
    runs.push(
      sawNothing(detector, detection)
        ? { detector: detector.name, status: 'failed', cause: 'not_assessed' }
        : { detector: detector.name, status: 'succeeded' },
    );
  }
  return { runs, seen, outcomes, assessed, places };
}

function assessedIds({ checks, retiredIds }: Detector<unknown>, { notAssessed }: Detection): string[] {
  const left = new Set(notAssessed.map(({ check }) => check));
  const looked = checks.filter(({ id }) => !left.has(id));
  return [...looked.flatMap(({ id, formerIds }) => [id, ...(formerIds ?? [])]), ...(retiredIds ?? [])];
}

function placesOf({ checks }: Detector<unknown>, { places }: Detection): [id: string, places: Places][] {
  return checks.flatMap(({ id, formerIds }) => {
    const looked = places?.get(id);
    return looked ? [id, ...(formerIds ?? [])].map((known): [string, Places] => [known, looked]) : [];
  });
}

/** No check could look at what it is for: to call that a success would be to pass what nobody has seen. */
function sawNothing({ checks }: Detector<unknown>, { notAssessed, observations }: Detection): boolean {
  return (
    observations.length === 0 &&
    notAssessed.length === checks.length &&
    notAssessed.some(({ inapplicable }) => !inapplicable)
  );
}

function outcomesOf({ checks }: Detector<unknown>, { observations, notAssessed }: Detection): CheckOutcome[] {
  const observed = new Set(observations.map(({ check }) => check));
  const left = new Map(notAssessed.map(entry => [entry.check, entry]));
  return checks.map(({ id: check }) => {
    const entry = left.get(check);
    if (observed.has(check)) return { check, outcome: 'observed', reason: null };
    if (entry === undefined) return { check, outcome: 'passed', reason: null };
    return { check, outcome: entry.inapplicable ? 'not_applicable' : 'not_assessed', reason: entry.reason };
  });
}

export function notAssessedFor(detectors: readonly Detector<unknown>[], cause: string): CheckOutcome[] {
  const reason = `The run failed: ${cause}.`;
  return detectors
    .flatMap(({ checks }) => checks)
    .map(({ id: check }) => ({ check, outcome: 'not_assessed', reason }));
}

function flawOf(
  sourceId: string,
  check: Check,
  { locator, seen, severity }: Omit<Detection['observations'][number], 'check'>,
): SeenFlaw {
  return {
    fingerprint: fingerprint(sourceId, check.id, locator),
    formerFingerprints: (check.formerIds ?? []).map(id => fingerprint(sourceId, id, locator)),
    category: check.id,
    locator,
    severity: severity ?? check.severity,
    title: check.title,
    remediation: check.remediation,
    seen,
    hipaa: check.safeguards.length > 0,
  };
}
