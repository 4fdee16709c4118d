import type { ProbeCapture } from '../captures/probe.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { boundDetections } from './bound-results.ts';
import { type Inspection, inspectionOf } from './inspection.ts';

const detectors = detectorsFor('probe');

/** Names of the detectors that assess how a probe reports. */
export const presenceDetectors: readonly string[] = detectors.map(({ name }) => name);

/** Assesses how the probe of a source reports. The capture is the service's own. */
export function inspectPresence(sourceId: string, capture: ProbeCapture): Inspection {
  const results = boundDetections(detectors.map(({ detect }) => detect(capture)));
  return inspectionOf(
    sourceId,
    detectors as readonly Detector<unknown>[],
    results.map((detection, index) => ({ detector: presenceDetectors[index]!, detection, subject: null })),
  );
}
