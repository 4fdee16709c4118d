import { severities } from '../../src/contract/severity.ts';
import { checkById } from '../../src/detectors/catalogue.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { liveScan } from './live-scan.ts';

/** The checks with findings above `low` in this capture, each once, in order. */
export function checksAboveLow<Capture>(detectors: readonly Detector<Capture>[], capture: Capture): string[] {
  const worse = liveScan(detectors, capture).observations.filter(
    ({ check, severity }) =>
      severities.indexOf(severity ?? checkById(check)!.severity) < severities.indexOf('low'),
  );
  return [...new Set(worse.map(({ check }) => check))].sort();
}
