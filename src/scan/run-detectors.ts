import type { Detection, Detector } from '../detectors/detector.ts';
import { isAllocationFailure } from './allocation-failure.ts';
import { boundDetections, type PlainDetection } from './bound-results.ts';

/** What one detector reported; null when it threw. */
export interface DetectorResult {
  readonly detector: string;
  readonly detection: PlainDetection | null;
}

/** Runs the detectors on what was collected. The fault of one does not affect the others. */
export function runDetectors(detectors: readonly Detector<unknown>[], evidence: unknown): DetectorResult[] {
  const detections = boundDetections(detectors.map(detector => detectionOf(detector, evidence)));
  return detectors.map(({ name: detector }, index) => ({ detector, detection: detections[index] ?? null }));
}

function detectionOf(detector: Detector<unknown>, evidence: unknown): Detection | null {
  try {
    return detector.detect(evidence);
  } catch (error) {
    if (isAllocationFailure(error)) throw error;
    return null;
  }
}
