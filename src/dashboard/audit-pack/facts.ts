import type { AuditVerification } from '../../contract/dashboard/audit.ts';
import type { Attestation, ControlMatrix } from '../../contract/dashboard/controls.ts';
import type { Evidence } from '../../contract/dashboard/evidence.ts';
import { evidenceLimits } from '../../contract/dashboard/evidence-limits.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import {
  attestationsById,
  attestationsInEffect,
  evidenceOf,
  type Period,
  type ScanRecord,
  scanCounts,
  scansOf,
} from '../../storage/audit-pack/history.ts';
import {
  type DecidedRisk,
  decidedFindings,
  decidedRisks,
  type OpenRisk,
  openRisks,
} from '../../storage/audit-pack/risks.ts';
import { assessedSources, beginSnapshot } from '../../storage/evidence/snapshot-facts.ts';
import type { TenantStore } from '../../storage/tenant-store.ts';
import { readMatrix } from '../controls/matrix.ts';

/** So many rows the report shows; the files beside it have the rest. */
export const shown = {
  places: 5,
  decisions: 300,
  sources: 300,
  attestations: 500,
  scans: 100,
  evidence: 300,
};

/** What the report is made of: states at the moment when it was made, history of the period. */
export interface PackFacts {
  readonly organization: { readonly id: string; readonly name: string };
  readonly period: Period;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly matrix: ControlMatrix;
  readonly sources: Awaited<ReturnType<typeof assessedSources>>;
  readonly open: readonly OpenRisk[];
  readonly decided: readonly DecidedRisk[];
  readonly attestations: readonly Attestation[];
  readonly scanCounts: Awaited<ReturnType<typeof scanCounts>>;
  readonly scans: readonly ScanRecord[];
  readonly evidence: readonly Evidence[];
  readonly chain: AuditVerification;
}

/** All of it as it was at one moment, but for the audit log's chain, which is computed after. */
export async function collectFacts(
  store: TenantStore,
  detectors: readonly DetectorDescription[],
  period: Period,
  madeBy: string,
  verifyChain: () => Promise<AuditVerification>,
): Promise<PackFacts> {
  const facts = await store.read(async session => {
    const { taken_at, ...organization } = await beginSnapshot(session);
    const [matrix, sources, open, decided, attestations, counts, scans, evidence] = await Promise.all([
      readMatrix(session, detectors),
      assessedSources(session, null, shown.sources + 1),
      openRisks(session, shown.places),
      decidedFindings(session, shown.decisions + 1).then(ids => decidedRisks(session, ids)),
      attestationsInEffect(session, period, shown.attestations + 1).then(ids =>
        attestationsById(session, ids),
      ),
      scanCounts(session, period),
      scansOf(session, period, undefined, shown.scans),
      evidenceOf(session, period, evidenceLimits.items),
    ]);
    return {
      organization,
      period,
      madeAt: taken_at,
      madeBy,
      matrix,
      sources,
      open,
      decided,
      attestations,
      scanCounts: counts,
      scans,
      evidence,
    };
  });
  return { ...facts, chain: await verifyChain() };
}
