import type { Detection, Detector, Subject } from '../detectors/detector.ts';
import { isAllocationFailure } from './allocation-failure.ts';
import { boundDetections, boundedLocator, type PlainDetection } from './bound-results.ts';
import { coversPerSubject } from './report-bounds.ts';

/** What one detector reported; null when it threw. */
export interface DetectorResult {
  readonly detector: string;
  readonly detection: PlainDetection | null;
  /** The page or database that its checks assessed, if they assess only one. */
  readonly subject: Subject | null;
}

/** Runs the detectors on the capture. A failure of one does not affect the others. */
export function runDetectors(detectors: readonly Detector<unknown>[], capture: unknown): DetectorResult[] {
  const detections = boundDetections(detectors.map(detector => detectionOf(detector, capture)));
  return detectors.map((detector, index) => ({
    detector: detector.name,
    detection: detections[index] ?? null,
    subject: subjectOf(detector, capture),
  }));
}

/** Bounded to what the database stores. */
function subjectOf({ perSubject }: Detector<unknown>, capture: unknown): Subject | null {
  const subject = perSubject?.subjectOf(capture);
  if (!subject) return null;
  const covers = subject.covers.slice(0, coversPerSubject).map(place => boundedLocator(place));
  return { at: boundedLocator(subject.at), covers };
}

function detectionOf(detector: Detector<unknown>, capture: unknown): Detection | null {
  try {
    return detector.detect(capture);
  } catch (error) {
    if (isAllocationFailure(error)) throw error;
    return null;
  }
}
