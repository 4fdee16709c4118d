import type { TenantTransaction } from '../../database/tenant-store.ts';
import type { KnownFindings, ObservedFlaw, ScanConclusions } from '../../domain/finding-changes.ts';
import { recordPosture } from '../posture/posture.ts';
import { checksLookedAtSince, recordAssessments } from './check-assessments.ts';
import { applyFindingChanges, countFindings, storedFindings } from './finding-changes.ts';

/** One source's part of a scan. */
export interface ScannedSource {
  readonly source: { readonly id: string; readonly system_id: string };
  readonly scanId: string;
  /** When it began, by the database's clock. */
  readonly lookedAt: string;
}

/** What is known of the source, whose row is locked. @param seen in the scan */
export async function loadKnownFindings(
  transaction: TenantTransaction,
  { source, lookedAt }: ScannedSource,
  seen: readonly ObservedFlaw[],
): Promise<KnownFindings> {
  return {
    stored: await storedFindings(transaction, source.id, seen),
    kept: await countFindings(transaction, source.id),
    outdated: await checksLookedAtSince(transaction, source.id, lookedAt),
  };
}

/**
 * Writes what a scan of the source changes, whose row is locked. Returns the findings that it reopened because they are worse than what
 * was decided about, for `auditReopened`.
 */
export async function saveConclusions(
  transaction: TenantTransaction,
  { source, scanId, lookedAt }: ScannedSource,
  { changes, outcomes }: ScanConclusions,
): Promise<string[]> {
  const target = { sourceId: source.id, systemId: source.system_id, scanId };
  const reopened = await applyFindingChanges(transaction, target, changes);
  await recordAssessments(transaction, { ...target, lookedAt }, outcomes);
  await recordPosture(transaction, source.id);
  return reopened;
}
