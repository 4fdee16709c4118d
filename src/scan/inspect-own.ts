import type { OwnSurface } from '../contract/dashboard/own-checks.ts';
import { type CaptureOf, detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { boundDetections } from './bound-results.ts';
import { type Inspection, inspectionOf } from './inspection.ts';

/** Inspects a capture that is the service's own: how a probe reports, or what the firewalls of a source report. */
export function inspectOwn<S extends OwnSurface>(
  surface: S,
  sourceId: string,
  capture: CaptureOf[S],
): Inspection {
  // The cast is safe: the catalogue's types ensure that a surface's detectors read its capture.
  const detectors = detectorsFor(surface) as readonly Detector<unknown>[];
  const detections = boundDetections(detectors.map(({ detect }) => detect(capture)));
  const results = detectors.map(({ name: detector }, index) => ({
    detector,
    detection: detections[index]!,
    subject: null,
  }));
  return inspectionOf(sourceId, detectors, results);
}
