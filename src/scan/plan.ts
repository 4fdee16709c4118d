import { isInFullScan } from '../captures/places.ts';
import type { Scan } from '../contract/scans.ts';
import type { SourceKind } from '../contract/sources.ts';
import { detectorsFor, idsOfCheck } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';

interface PlanOptions {
  readonly profile: Scan['profile'];
  /** The check of the finding to verify; null for everything. */
  readonly category: string | null;
}

/**
 * The detectors that run on a source: those of its surface that fit the scan's depth, or the one that a
 * finding needs.
 */
export function planSource({ kind }: { readonly kind: SourceKind }, options: PlanOptions): string[] {
  const ids = options.category === null ? null : idsOfCheck(options.category);
  return detectorsFor(kind)
    .filter(({ checks, depth }) =>
      ids === null
        ? depth !== 'full' || options.profile === 'full_active'
        : checks.some(({ id }) => ids.has(id)),
    )
    .map(({ name }) => name);
}

/** The detectors of a kind of source with these names. */
export function detectorsNamed(kind: SourceKind, names: readonly string[]): readonly Detector<unknown>[] {
  // The cast is safe: the catalogue's types ensure that a kind's detectors read what its surface collects.
  return (detectorsFor(kind) as readonly Detector<unknown>[]).filter(({ name }) => names.includes(name));
}

/** `full` for a full scan, and to verify a finding that only full scans assess. */
export function depthOf({
  profile,
  category,
  place,
}: PlanOptions & { readonly place: string | null }): 'safe' | 'full' {
  if (profile === 'full_active') return 'full';
  return category === null || place === null ? 'safe' : depthOfFinding(category, place);
}

/** `full` if only full scans assess the check, or this place of it. */
export function depthOfFinding(category: string, place: string): 'safe' | 'full' {
  const ids = idsOfCheck(category);
  const isFull = detectorsFor('website').some(
    ({ checks, depth }) => depth === 'full' && checks.some(({ id }) => ids.has(id)),
  );
  return isFull || isInFullScan(category, place) ? 'full' : 'safe';
}

/** Ids of the checks that request the places of their open findings again. */
export function revisitedChecks(detectors: readonly Detector<unknown>[]): string[] {
  const checks = detectors.flatMap(detector => detector.checks);
  return checks.filter(({ revisited }) => revisited).map(({ id }) => id);
}
