import { formerPlaces } from '../captures/places.ts';
import type { RunCause } from '../contract/causes.ts';
import { remediationText } from '../contract/remediation-text.ts';
import type { ConnectionMode } from '../contract/sources.ts';
import type { Check, Detector } from '../detectors/detector.ts';
import { remediationOf } from '../detectors/remediation/step.ts';
import type { CheckOutcome, ObservedFlaw } from '../domain/finding-changes.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import { describeCause } from '../domain/scan-causes.ts';
import type { PlainDetection } from './bound-results.ts';
import { assessedPlacesPerScan, placesPerCheck, placesPerScan } from './report-bounds.ts';
import type { DetectorResult } from './run-detectors.ts';

/** How one detector's run ended, and what it observed. */
export interface InspectedRun {
  readonly detector: string;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed, or that it did not assess all of its checks. */
  readonly cause?: RunCause;
}

export interface Inspection {
  readonly runs: readonly InspectedRun[];
  readonly seen: readonly ObservedFlaw[];
  /** Every check of the detectors that ran. */
  readonly outcomes: readonly CheckOutcome[];
  /** Ids, former ones included, of the checks that assessed everything, and of removed checks. */
  readonly assessed: ReadonlySet<string>;
  /** The places assessed by checks of certain places only, under all ids of those checks. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
  /** The pages or databases covered by checks of a single one, under all ids of those checks. */
  readonly covered: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids, former ones included, of the checks that assessed everything that only full scans read. */
  readonly fully?: ReadonlySet<string>;
}

/** The inspection of a source that could not be scanned, with the cause. */
export function failedInspection(
  detectors: readonly Detector<unknown>[],
  cause: RunCause,
  connection: ConnectionMode = 'direct',
): Inspection {
  return {
    runs: detectors.map(({ name: detector }) => ({ detector, status: 'failed', cause })),
    seen: [],
    outcomes: notAssessedFor(detectors, describeCause(cause, connection)),
    assessed: new Set(),
    places: new Map(),
    covered: new Map(),
  };
}

/**
 * Turns detector results into observations and outcomes. Titles, severities and fingerprints come from this
 * process's catalogue, because the process that sent the results may be compromised by the target.
 *
 * @throws TypeError for a result that the detectors cannot return
 */
export function inspectionOf(
  sourceId: string,
  detectors: readonly Detector<unknown>[],
  results: readonly DetectorResult[],
): Inspection {
  assertReportable(results);
  const runs: InspectedRun[] = [];
  const seen: ObservedFlaw[] = [];
  const outcomes: CheckOutcome[] = [];
  const assessed = new Set<string>();
  const places = new Map<string, ReadonlySet<string>>();
  const covered = new Map<string, ReadonlySet<string>>();
  const fully = new Set<string>();
  for (const detector of detectors) {
    const result = results.find(({ detector: name }) => name === detector.name);
    if (!result) throw new TypeError(`no result of ${detector.name}`);
    const { detection, subject } = result;
    if (!detection) {
      runs.push({ detector: detector.name, status: 'failed', cause: 'detector_error' });
      outcomes.push(...notAssessedFor([detector], describeCause('detector_error')));
      continue;
    }
    const checks = checksOf(detector, detection);
    const ofSubject = new Set(subject ? idsOf(detector.perSubject?.checks ?? []) : []);
    for (const { check, ...observation } of detection.observations) {
      const at = subject && ofSubject.has(check) ? subject.at : null;
      seen.push(flawOf(sourceId, checks.get(check)!, observation, at));
    }
    for (const id of ofSubject) covered.set(id, new Set(subject?.covers));
    for (const [id, looked] of placesOf(detector, detection)) places.set(id, looked);
    for (const id of assessedIds(detector, detection)) assessed.add(id);
    for (const id of idsOf(detector.checks.filter(({ id }) => detection.fully?.includes(id)))) fully.add(id);
    outcomes.push(...outcomesOf(detector, detection));
    runs.push({ detector: detector.name, ...endOf(detector, detection) });
  }
  return { runs, seen, outcomes, assessed, places, covered, ...(fully.size === 0 ? {} : { fully }) };
}

/** How each of the runs ends. */
export function endsOf(
  runs: readonly { readonly id: string; readonly detector: string }[],
  inspected: readonly InspectedRun[],
): ({ readonly id: string } & InspectedRun)[] {
  const ends = new Map(inspected.map(run => [run.detector, run]));
  const missing = { status: 'failed', cause: 'detector_missing' } as const;
  return runs.map(run => ({ ...run, ...(ends.get(run.detector) ?? missing) }));
}

function assertReportable(results: readonly DetectorResult[]): void {
  const detections = results.flatMap(({ detection }) => detection ?? []);
  const seen = detections.reduce((total, { observations }) => total + observations.length, 0);
  const looked = detections
    .flatMap(({ places }) => places)
    .reduce((total, [, places]) => total + places.length, 0);
  if (seen > placesPerScan || looked > assessedPlacesPerScan)
    throw new TypeError('the results have too many places');
}

function checksOf(
  detector: Detector<unknown>,
  { observations, notAssessed, places }: PlainDetection,
): ReadonlyMap<string, Check> {
  const checks = new Map(detector.checks.map(check => [check.id, check]));
  const named = [...[...observations, ...notAssessed].map(({ check }) => check), ...places.map(([id]) => id)];
  const unknown = named.find(id => !checks.has(id));
  if (unknown !== undefined) throw new TypeError(`${detector.name} has no such check`);
  const counts = new Map<string, number>();
  for (const { check } of observations) counts.set(check, (counts.get(check) ?? 0) + 1);
  if (Math.max(0, ...counts.values()) > placesPerCheck)
    throw new TypeError(`${detector.name} has too many places`);
  return checks;
}

function assessedIds({ checks, retiredIds }: Detector<unknown>, { notAssessed }: PlainDetection): string[] {
  const left = new Set(notAssessed.filter(({ resolves }) => !resolves).map(({ check }) => check));
  const looked = checks.filter(({ id }) => !left.has(id));
  return [...idsOf(looked), ...(retiredIds ?? [])];
}

/** Current and former ids. */
const idsOf = (checks: readonly Check[]) => checks.flatMap(({ id, formerIds }) => [id, ...(formerIds ?? [])]);

function placesOf(
  { checks }: Detector<unknown>,
  detection: PlainDetection,
): [id: string, looked: ReadonlySet<string>][] {
  const given = new Map(detection.places);
  return checks.flatMap(({ id, formerIds }) => {
    const looked = given.get(id);
    if (!looked) return [];
    const places = new Set(looked);
    return [id, ...(formerIds ?? [])].map((known): [string, ReadonlySet<string>] => [known, places]);
  });
}

function endOf(detector: Detector<unknown>, detection: PlainDetection): Omit<InspectedRun, 'detector'> {
  if (!detector.readsDetailsOnly && sawNothing(detector, detection))
    return { status: 'failed', cause: 'not_assessed' };
  const isPartial = detection.notAssessed.some(({ inapplicable }) => !inapplicable);
  return { status: 'succeeded', ...(isPartial ? { cause: 'checks_not_assessed' } : {}) };
}

/** No check could be assessed, so the run must not count as a success. */
function sawNothing({ checks }: Detector<unknown>, { notAssessed, observations }: PlainDetection): boolean {
  return (
    observations.length === 0 &&
    notAssessed.filter(({ resolves }) => !resolves).length === checks.length &&
    notAssessed.some(({ inapplicable }) => !inapplicable)
  );
}

function outcomesOf(
  { checks }: Detector<unknown>,
  { observations, notAssessed }: PlainDetection,
): CheckOutcome[] {
  const observed = new Set(observations.map(({ check }) => check));
  const left = new Map(notAssessed.map(entry => [entry.check, entry]));
  return checks.map(({ id: check }) => {
    const entry = left.get(check);
    if (observed.has(check)) return { check, outcome: 'observed', reason: null };
    if (entry === undefined) return { check, outcome: 'passed', reason: null };
    return { check, outcome: entry.inapplicable ? 'not_applicable' : 'not_assessed', reason: entry.reason };
  });
}

function notAssessedFor(detectors: readonly Detector<unknown>[], why: string): CheckOutcome[] {
  const reason = `The run failed. ${why}`;
  return detectors
    .flatMap(({ checks }) => checks)
    .map(({ id: check }) => ({ check, outcome: 'not_assessed', reason }));
}

function flawOf(
  sourceId: string,
  check: Check,
  { locator, seen, severity }: Omit<PlainDetection['observations'][number], 'check'>,
  subject: string | null,
): ObservedFlaw {
  return {
    fingerprint: fingerprint(sourceId, check.id, locator),
    formerFingerprints: formerNames(check, locator).map(([id, place]) => fingerprint(sourceId, id, place)),
    category: check.id,
    locator,
    subject,
    severity: severity ?? check.severity,
    title: check.title,
    remediation: remediationFor(check),
    seen,
    hipaa: check.safeguards.length > 0,
  };
}

/** Under which ids and places earlier versions stored the same finding. */
function formerNames(
  { id, formerIds = [] }: Check,
  locator: string,
): (readonly [id: string, place: string])[] {
  const ids = [id, ...formerIds];
  return [locator, ...formerPlaces(id, locator)]
    .flatMap(place => ids.map(id => [id, place] as const))
    .slice(1);
}

const remediations = new WeakMap<Check, string>();

/** Cached per check: a scan may have thousands of observations, and building a text takes 20 µs. */
function remediationFor(check: Check): string {
  const known = remediations.get(check);
  if (known !== undefined) return known;
  const text = remediationText(remediationOf(check.id, check.fix));
  remediations.set(check, text);
  return text;
}
