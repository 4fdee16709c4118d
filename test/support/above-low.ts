import { severities } from '../../src/contract/severity.ts';
import { checkById } from '../../src/detectors/catalogue.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { liveScan } from './live-scan.ts';

/** The checks that see something worse than `low` in this evidence, each once, in order. */
export function checksAboveLow<Evidence>(
  detectors: readonly Detector<Evidence>[],
  evidence: Evidence,
): string[] {
  const worse = liveScan(detectors, evidence).observations.filter(
    ({ check, severity }) =>
      severities.indexOf(severity ?? checkById(check)!.severity) < severities.indexOf('low'),
  );
  return [...new Set(worse.map(({ check }) => check))].sort();
}
