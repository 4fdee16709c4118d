import type { Scan } from '../contract/scans.ts';
import type { SourceKind } from '../contract/sources.ts';
import { detectorsFor, idsOfCheck } from '../detectors/catalogue.ts';

interface PlanOptions {
  readonly profile: Scan['profile'];
  /** The check of the finding that is to be verified; null for everything. */
  readonly category: string | null;
}

/** The detectors that run on a source: those of its surface that are as deep as the scan, or the one that a finding needs. */
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
