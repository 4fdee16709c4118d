import { detectorsFor } from '../../src/detectors/catalogue.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import type { WebsiteEvidence } from '../../src/evidence/website.ts';
import { type Inspection, inspectionOf } from '../../src/scan/inspection.ts';
import { reconcile } from '../../src/scan/reconcile.ts';
import { runDetectors } from '../../src/scan/run-detectors.ts';

/** What a scan with this evidence means for the source. */
export function inspectionFrom(evidence: WebsiteEvidence): Inspection {
  const detectors = detectorsFor('website') as readonly Detector<unknown>[];
  return inspectionOf('source', detectors, runDetectors(detectors, evidence));
}

/** Checks of the findings that one scan opened and the next one resolved, sorted, each once. */
export function resolvedBy(before: Inspection, after: Inspection): string[] {
  const stored = before.seen.map(({ fingerprint, category, locator }) => ({
    id: category,
    fingerprint,
    category,
    locator,
    observed: true,
  }));
  return [...new Set(reconcile(stored, after.seen, after.assessed, after.places).resolved)].sort();
}
