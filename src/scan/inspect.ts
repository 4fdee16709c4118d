import type { Scan } from '../contract/scans.ts';
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
  const detectors = chosen(source.kind, detectorNames);
  const parts = partsFor(detectors);
  let evidence: unknown;
  try {
    evidence = await collectEvidence(source, { ...options, ...(parts ? { parts } : {}) });
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = causeOf(error);
    if (cause === undefined) throw error;
    return failed(detectors, cause);
  }
  return detectAll(source.id, detectors, evidence);
}

/** What the detectors read together; undefined when one of them reads everything. */
function partsFor(detectors: readonly Detector<unknown>[]): ReadonlySet<string> | undefined {
  const reads = detectors.map(detector => detector.reads);
  return reads.every(parts => parts !== undefined) ? new Set(reads.flat()) : undefined;
}

/** The inspection of a source that could not, or may not, be looked at. */
export function failedInspection(
  kind: OpenableSource['kind'],
  detectorNames: readonly string[],
  cause: string,
): Inspection {
  return failed(chosen(kind, detectorNames), cause);
}

/** A full look: one that was asked for, or the only one that can verify a finding. It takes the domain's proof. */
export function isFull(
  kind: OpenableSource['kind'],
  profile: Scan['profile'],
  detectorNames: readonly string[],
): boolean {
  return profile === 'full_active' || chosen(kind, detectorNames).some(({ depth }) => depth === 'full');
}

/** What the kind's surface collects is what the kind's detectors read: the catalogue's types say so, kind by kind. */
function chosen(kind: OpenableSource['kind'], names: readonly string[]): readonly Detector<unknown>[] {
  return (detectorsFor(kind) as readonly Detector<unknown>[]).filter(({ name }) => names.includes(name));
}

function failed(detectors: readonly Detector<unknown>[], cause: string): Inspection {
  const runs = detectors.map(({ name: detector }) => ({ detector, status: 'failed', cause }) as const);
  return {
    runs,
    seen: [],
    outcomes: notAssessedFor(detectors, cause),
    assessed: new Set(),
    places: new Map(),
  };
}
