import type { Scan } from '../contract/scans.ts';
import { detectorsFor, idsOfCheck } from '../detectors/catalogue.ts';
import { isPrivileged } from '../domain/source-states.ts';
import type { SourceToScan } from './source.ts';

/** A detector that will run on a source, or why it will not. */
export interface Plan {
  readonly detector: string;
  readonly skipped?: string;
}

export interface PlanOptions {
  /** Whether this service may connect to privileged sources itself. */
  readonly privilegedConnections: boolean;
  readonly profile: Scan['profile'];
  /** The check of the finding that is to be verified; null for everything. */
  readonly category: string | null;
}

/**
 * One run per detector of the source's surface that is as deep as the scan, or the one that a finding needs. A source that
 * a probe assesses is not connected to.
 */
export function planSource(source: SourceToScan, options: PlanOptions): Plan[] {
  const skipped = whySkipped(source, options);
  const ids = options.category === null ? null : idsOfCheck(options.category);
  return detectorsFor(source.kind)
    .filter(({ checks, depth }) =>
      ids === null
        ? depth !== 'full' || options.profile === 'full_active'
        : checks.some(({ id }) => ids.has(id)),
    )
    .map(({ name: detector }) => ({ detector, ...(skipped === undefined ? {} : { skipped }) }));
}

function whySkipped(source: SourceToScan, options: PlanOptions): string | undefined {
  if (source.connection_mode === 'probe') return 'a probe assesses this source';
  if (isPrivileged(source.kind) && !options.privilegedConnections) {
    return 'privileged connections are switched off';
  }
  return undefined;
}
