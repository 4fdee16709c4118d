import { detectorsFor } from '../detectors/catalogue.ts';
import type { Check, Detection, Detector } from '../detectors/detector.ts';
import type { SeenFlaw } from '../domain/finding-changes.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import { type CollectionOptions, causeOf, collectEvidence } from './collect-evidence.ts';
import type { OpenableSource } from './source.ts';

/** How one detector's run ended, and what it saw. */
interface InspectedRun {
  readonly detector: string;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed, in a word. */
  readonly cause?: string;
}

export interface Inspection {
  readonly runs: readonly InspectedRun[];
  readonly seen: readonly SeenFlaw[];
  /** Checks that looked everywhere. */
  readonly assessed: ReadonlySet<string>;
}

/**
 * Collects a source's evidence once and runs the named detectors on it. A target that cannot be reached, or may not be,
 * fails the runs with a cause: that is a result. Rejects only when aborted or when the fault is ours.
 */
export async function inspect(
  source: OpenableSource,
  detectorNames: readonly string[],
  options: CollectionOptions,
): Promise<Inspection> {
  // What the kind's surface collects is what the kind's detectors read: the catalogue's types say so, kind by kind.
  const detectors = (detectorsFor(source.kind) as readonly Detector<unknown>[]).filter(({ name }) =>
    detectorNames.includes(name),
  );
  let evidence: unknown;
  try {
    evidence = await collectEvidence(source, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = causeOf(error);
    if (cause === undefined) throw error;
    const runs = detectors.map(({ name: detector }) => ({ detector, status: 'failed', cause }) as const);
    return { runs, seen: [], assessed: new Set() };
  }
  return detectAll(source.id, detectors, evidence);
}

/** One detector's fault fails its own run only. */
function detectAll(sourceId: string, detectors: readonly Detector<unknown>[], evidence: unknown): Inspection {
  const runs: InspectedRun[] = [];
  const seen: SeenFlaw[] = [];
  const assessed = new Set<string>();
  for (const detector of detectors) {
    let detection: Detection;
    try {
      detection = detector.detect(evidence);
    } catch {
      runs.push({ detector: detector.name, status: 'failed', cause: 'detector_error' });
      continue;
    }
    const checks = new Map(detector.checks.map(check => [check.id, check]));
    for (const id of checks.keys()) assessed.add(id);
    for (const { check } of detection.notAssessed) assessed.delete(check);
    for (const { check, ...observation } of detection.observations) {
      seen.push(flawOf(sourceId, checks.get(check)!, observation));
    }
    runs.push({ detector: detector.name, status: 'succeeded' });
  }
  return { runs, seen, assessed };
}

function flawOf(
  sourceId: string,
  check: Check,
  { locator, seen, severity }: Omit<Detection['observations'][number], 'check'>,
): SeenFlaw {
  return {
    fingerprint: fingerprint(sourceId, check.id, locator),
    category: check.id,
    locator,
    severity: severity ?? check.severity,
    title: check.title,
    remediation: check.remediation,
    seen,
    hipaa: check.safeguards.length > 0,
  };
}
