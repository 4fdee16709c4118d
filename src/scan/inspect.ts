import type { ConnectionCause } from '../contract/causes.ts';
import type { Detector } from '../detectors/detector.ts';
import { type CollectionOptions, causeOf, collect } from './collect.ts';
import { type Facts, factsOf } from './facts.ts';
import { maskTexts } from './mask-texts.ts';
import { detectorsNamed } from './plan.ts';
import { type DetectorResult, runDetectors } from './run-detectors.ts';
import type { OpenableSource } from './source.ts';

/** The result for a source, as plain JSON: results of its detectors, or why there are none. */
export type InspectionResult =
  | { readonly unreachable: ConnectionCause }
  | { readonly results: DetectorResult[]; readonly facts?: Facts };

/**
 * Captures a source once and runs the named detectors on it. A target that cannot or must not be reached is a
 * result. Rejects only when aborted or for a failure of this service.
 */
export async function inspect(
  source: OpenableSource,
  detectorNames: readonly string[],
  options: CollectionOptions & { readonly maskKey?: string },
): Promise<InspectionResult> {
  const detectors = detectorsNamed(source.kind, detectorNames);
  const parts = partsFor(detectors);
  let capture: unknown;
  try {
    capture = await collect(source, { ...options, ...(parts ? { parts } : {}) });
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = causeOf(error);
    if (cause === undefined) throw error;
    return { unreachable: cause };
  }
  const { maskKey } = options;
  if (maskKey === undefined) return { results: runDetectors(detectors, capture) };
  // Before any text is shortened, which would hide a part of a secret from the mask. Websites are searched for secrets.
  const masked = source.kind === 'website' ? capture : maskTexts(capture, maskKey);
  return { results: runDetectors(detectors, masked), facts: factsOf(source.kind, masked) };
}

/** The parts that the detectors read together; undefined if one of them reads everything. */
function partsFor(detectors: readonly Detector<unknown>[]): ReadonlySet<string> | undefined {
  const reads = detectors.map(detector => detector.reads);
  return reads.every(parts => parts !== undefined) ? new Set(reads.flat()) : undefined;
}
