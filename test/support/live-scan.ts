import { checkById, detectorsFor } from '../../src/detectors/catalogue.ts';
import type { Detector, NotAssessed, Observation, Surface } from '../../src/detectors/detector.ts';

/** The results of detectors for a real server. */
export interface LiveScan {
  readonly observations: readonly Observation[];
  readonly notAssessed: readonly NotAssessed[];
}

export function liveScan<Capture>(detectors: readonly Detector<Capture>[], capture: Capture): LiveScan {
  const detections = detectors.map(detector => detector.detect(capture));
  return {
    observations: detections.flatMap(({ observations }) => observations),
    notAssessed: detections.flatMap(({ notAssessed }) => notAssessed),
  };
}

/** `check locator severity` of each observation, sorted, and the reasons for checks that were not assessed. */
export function findingsOf({ observations, notAssessed }: LiveScan): {
  readonly seen: readonly string[];
  readonly notAssessed: ReadonlyMap<string, string>;
} {
  return {
    seen: observations
      .map(({ check, locator, severity }) => `${check} ${locator} ${severity ?? checkById(check)?.severity}`)
      .sort(),
    notAssessed: new Map(notAssessed.map(({ check, reason }) => [check, reason])),
  };
}

/** The surface's checks that are not among these. @param seen ids, each optionally followed by a space and more */
export function checksMissing(surface: Surface, seen: readonly string[]): string[] {
  const ids = new Set(seen.map(one => one.split(' ', 1)[0]));
  const detectors: readonly Detector<never>[] = detectorsFor(surface);
  return detectors.flatMap(({ checks }) => checks.map(({ id }) => id)).filter(id => !ids.has(id));
}
