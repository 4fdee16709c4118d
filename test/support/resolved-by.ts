import { detectorsFor } from '../../src/detectors/catalogue.ts';
import type { Detector, Surface } from '../../src/detectors/detector.ts';
import type { StoredFinding } from '../../src/domain/finding-changes.ts';
import { type Inspection, inspectionOf } from '../../src/scan/inspection.ts';
import { reconcile } from '../../src/scan/reconcile.ts';
import { runDetectors } from '../../src/scan/run-detectors.ts';

/** The result of a scan with this capture for the source. */
export function inspectionFrom(capture: object, surface: Surface = 'website'): Inspection {
  const detectors = detectorsFor(surface) as readonly Detector<unknown>[];
  return inspectionOf('source', detectors, runDetectors(detectors, capture));
}

/** Checks of the findings that one scan opened and the next one resolved, sorted, each once. */
export function resolvedBy(before: Inspection, after: Inspection): string[] {
  const stored = storedBy(before);
  const { resolved } = reconcile(stored, after.seen, after.assessed, after);
  const checks = stored.filter(({ id }) => resolved.includes(id)).map(({ category }) => category);
  return [...new Set(checks)].sort();
}

/** The findings of a scan, as they are stored. */
export const storedBy = ({ seen }: Inspection): StoredFinding[] =>
  seen.map(({ fingerprint, category, locator, subject }) => ({
    id: fingerprint,
    fingerprint,
    category,
    locator,
    subject,
    observed: true,
  }));
