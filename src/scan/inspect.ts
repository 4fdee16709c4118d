import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { type CollectionOptions, causeOf, collectEvidence } from './collect-evidence.ts';
import { detectAll, type Inspection, notAssessedFor } from './detect.ts';
import type { OpenableSource } from './source.ts';

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
    return { runs, seen: [], outcomes: notAssessedFor(detectors, cause), assessed: new Set() };
  }
  return detectAll(source.id, detectors, evidence);
}
