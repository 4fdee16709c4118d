import { severities } from '../../contract/severity.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import type { KnownFindings, ObservedFlaw, ScanConclusions } from '../../domain/finding-changes.ts';
import { recordNotice } from '../notifications/record-notice.ts';
import { recordPosture } from '../posture/posture.ts';
import { checksAssessedSince, recordAssessments } from './check-assessments.ts';
import { applyFindingChanges, countFindings, storedFindings } from './finding-changes.ts';

/** The part of a scan that concerns one source. */
export interface ScannedSource {
  readonly source: { readonly id: string; readonly system_id: string };
  readonly scanId: string;
  /** When it began, by the database's clock. */
  readonly lookedAt: string;
  /** Not limited in how many findings are kept: targets choose their number, and the service does not. */
  readonly isUnbounded?: boolean;
}

/** The stored findings of the source, whose row is locked. @param seen findings of the scan */
export async function loadKnownFindings(
  transaction: TenantTransaction,
  { source, lookedAt, isUnbounded }: ScannedSource,
  seen: readonly ObservedFlaw[],
): Promise<KnownFindings> {
  const [stored, kept, outdated] = await Promise.all([
    storedFindings(transaction, source.id, seen),
    isUnbounded ? null : countFindings(transaction, source.id),
    checksAssessedSince(transaction, source.id, lookedAt),
  ]);
  return { stored, kept, outdated };
}

/** Writes the changes from a scan of the source, whose row is locked. */
export async function saveConclusions(
  transaction: TenantTransaction,
  { source, scanId, lookedAt }: ScannedSource,
  { changes, outcomes }: ScanConclusions,
): Promise<void> {
  const target = { sourceId: source.id, systemId: source.system_id, scanId };
  await Promise.all([
    applyFindingChanges(transaction, target, changes),
    recordAssessments(transaction, { ...target, lookedAt }, outcomes),
    noteNewFindings(transaction, scanId, changes),
  ]);
  await recordPosture(transaction, source.id);
}

/** Subscribers get a message about what opened, unless it is info. */
async function noteNewFindings(
  transaction: TenantTransaction,
  scanId: string,
  { opened, reopened }: ScanConclusions['changes'],
): Promise<void> {
  const seen = new Set([...opened, ...reopened.map(({ flaw }) => flaw)].map(({ severity }) => severity));
  const severity = severities.find(one => one !== 'info' && seen.has(one));
  if (severity) await recordNotice(transaction, { kind: 'new_findings', objectId: scanId, severity });
}
