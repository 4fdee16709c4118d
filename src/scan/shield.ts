import type { ShieldCapture } from '../captures/shield.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { boundDetections } from './bound-results.ts';
import { type Inspection, inspectionOf } from './inspection.ts';

const detectors = detectorsFor('shield');

/** Names of the detectors that assess what the firewalls of a source report. */
export const shieldDetectors: readonly string[] = detectors.map(({ name }) => name);

/** Assesses what the firewalls of a source report. The capture is the service's own. */
export function inspectShield(sourceId: string, capture: ShieldCapture): Inspection {
  const results = boundDetections(detectors.map(({ detect }) => detect(capture)));
  return inspectionOf(
    sourceId,
    detectors as readonly Detector<unknown>[],
    results.map((detection, index) => ({ detector: shieldDetectors[index]!, detection, subject: null })),
  );
}
