import type { AssessmentEvent, DetectorReport } from '../contract/probe-events.ts';
import type { SourceKind } from '../contract/sources.ts';
import type { Detector } from '../detectors/detector.ts';
import type { PlainDetection } from './bound-results.ts';
import { failedInspection, type Inspection, inspectionOf } from './inspection.ts';
import { detectorsNamed } from './plan.ts';
import type { DetectorResult } from './run-detectors.ts';

/**
 * The inspection that an event of a probe reports. The probe may be older or newer than this service: a check that it
 * did not report is not assessed, and a detector or check that this service does not have is left out.
 *
 * @throws TypeError for results that a probe of any version cannot send
 */
export function reportedInspection(
  source: { readonly id: string; readonly kind: SourceKind },
  event: AssessmentEvent,
): Inspection {
  if (event.error_code !== undefined) {
    return failedInspection(detectorsNamed(source.kind, event.planned), event.error_code, 'probe');
  }
  const detectors = detectorsNamed(
    source.kind,
    event.results.map(({ detector }) => detector),
  );
  const results = detectors.map(detector => {
    const reports = event.results.filter(report => report.detector === detector.name);
    if (reports.length !== 1) throw new TypeError(`${detector.name} was reported twice`);
    return resultOf(detector, reports[0]!, event.probe.version);
  });
  return inspectionOf(source.id, detectors, results);
}

function resultOf(detector: Detector<unknown>, report: DetectorReport, version: string): DetectorResult {
  const { name } = detector;
  if (!report.completed) return { detector: name, detection: null, subject: null };
  const ids = currentIds(detector);
  const known = <T extends { readonly check: string }>(entries: readonly T[]) =>
    entries.flatMap(entry => {
      const check = ids.get(entry.check);
      return check === undefined ? [] : { ...entry, check };
    });
  const observations = known(report.observations).map(({ check, locator, seen, severity }) => ({
    check,
    locator,
    seen,
    ...(severity ? { severity } : {}),
  }));
  const observed = new Set(observations.map(({ check }) => check));
  const reported = new Map(known(report.checks).map(entry => [entry.check, entry]));
  const notAssessed = detector.checks.flatMap(({ id: check }): PlainDetection['notAssessed'] => {
    const entry = reported.get(check);
    if (!entry) return [{ check, reason: `Version ${version} of the probe does not have this check.` }];
    // Without an observation, nothing shows what was observed: the check must not pass.
    if (entry.outcome === 'observed' && !observed.has(check)) return [{ check, reason: noPlace }];
    if (entry.outcome !== 'not_assessed' && entry.outcome !== 'not_applicable') return [];
    return [
      {
        check,
        reason: entry.reason ?? noReason,
        ...(entry.outcome === 'not_applicable' ? { inapplicable: true } : {}),
        ...(entry.resolves ? { resolves: true } : {}),
      },
    ];
  });
  const places = known(report.places).map(({ check, assessed }) => [check, assessed] as const);
  return { detector: name, detection: { observations, notAssessed, places }, subject: report.subject };
}

const noPlace = 'The probe reported a failure without a place.';
const noReason = 'The probe gave no reason.';

/** The current id of each check, by its current and former ids. */
function currentIds({ checks }: Detector<unknown>): ReadonlyMap<string, string> {
  return new Map(checks.flatMap(({ id, formerIds }) => [id, ...(formerIds ?? [])].map(known => [known, id])));
}

/** A result as a probe reports it: every check with its outcome, since the service may know other checks. */
export function reportOf(
  detector: Detector<unknown>,
  { detection, subject }: DetectorResult,
): DetectorReport {
  if (!detection) {
    return {
      detector: detector.name,
      completed: false,
      checks: [],
      observations: [],
      places: [],
      subject: null,
    };
  }
  const observed = new Set(detection.observations.map(({ check }) => check));
  const left = new Map(detection.notAssessed.map(entry => [entry.check, entry]));
  return {
    detector: detector.name,
    completed: true,
    checks: detector.checks.map(({ id: check }) => {
      const entry = left.get(check);
      if (!entry) return { check, outcome: observed.has(check) ? 'observed' : 'passed' };
      return {
        check,
        outcome: entry.inapplicable ? 'not_applicable' : 'not_assessed',
        reason: entry.reason,
        ...(entry.resolves ? { resolves: true } : {}),
      };
    }),
    observations: [...detection.observations],
    places: detection.places.map(([check, assessed]) => ({ check, assessed: [...assessed] })),
    subject: subject && { at: subject.at, covers: [...subject.covers] },
  };
}
