import type { AuditVerification } from '../../contract/dashboard/audit.ts';
import type { Attestation, ControlMatrix } from '../../contract/dashboard/controls.ts';
import type { Evidence } from '../../contract/dashboard/evidence.ts';
import { verifyAuditChain } from '../../database/audit-chain.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { mapChecks, showingIdsOf } from '../../domain/control-checks.ts';
import {
  attestationsById,
  attestationsInEffect,
  evidenceOf,
  type Period,
  type ScanRecord,
  scanCounts,
  scansOf,
} from '../../resources/audit-pack/history.ts';
import {
  type DecidedRisk,
  decidedFindings,
  decidedRisks,
  type OpenRisk,
  openRisks,
} from '../../resources/audit-pack/risks.ts';
import { type Pass, passesOf } from '../../resources/controls/results-of-checks.ts';
import { assessedSources, beginSnapshot, sourcesByName } from '../../resources/evidence/snapshot-facts.ts';
import { readMatrix } from '../controls/matrix.ts';
import { type OutOfScope, outOfScope } from './scope.ts';

/** Maximum rows in the report. The JSON files of the pack contain the rest. */
export const shown = {
  places: 5,
  decisions: 300,
  sources: 300,
  attestations: 500,
  scans: 100,
  evidence: 300,
  checks: 400,
  passes: 300,
};

/** A source with its number of checks by result. */
interface SourceFacts {
  readonly name: string;
  readonly kind: string;
  readonly host: string;
  readonly looked_at: string | null;
  readonly assessed: number;
  readonly not_assessed: number;
  readonly outdated: number;
}

/** A check mapped to a control, with the reason. */
interface MappingRow {
  readonly control: string;
  readonly check: string;
  readonly title: string;
  readonly effect: 'lowers' | 'shows';
  readonly reason: string;
}

/** Facts of the report: states as of `madeAt`, and the history of the period. */
export interface PackFacts {
  readonly organization: { readonly id: string; readonly name: string };
  readonly period: Period;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly matrix: ControlMatrix;
  readonly mapping: readonly MappingRow[];
  readonly passes: readonly Pass[];
  readonly sources: readonly SourceFacts[];
  readonly outOfScope: OutOfScope;
  readonly open: readonly OpenRisk[];
  readonly decided: readonly DecidedRisk[];
  readonly attestations: readonly Attestation[];
  readonly scanCounts: Awaited<ReturnType<typeof scanCounts>>;
  readonly scans: readonly ScanRecord[];
  readonly evidence: readonly Evidence[];
  readonly chain: AuditVerification;
}

/** Reads all facts in one database snapshot, except the audit chain, which is verified afterwards. */
export async function collectFacts(
  store: TenantStore,
  detectors: readonly DetectorDescription[],
  period: Period,
  madeBy: string,
  signal?: AbortSignal,
): Promise<PackFacts> {
  const mapped = mapChecks(detectors);
  const mapping = [...mapped].flatMap(([control, checks]) =>
    checks.map(({ check, effect, reason }) => ({
      control,
      check: check.id,
      title: check.title,
      effect,
      reason,
    })),
  );
  const showing = [...new Set([...mapped.values()].flatMap(showingIdsOf))];
  const facts = await store.read(async session => {
    const { taken_at, ...organization } = await beginSnapshot(session);
    const [matrix, passes, sources, uncovered, open, decided, attestations, counts, scans, evidence] =
      await Promise.all([
        readMatrix(session, detectors),
        passesOf(session, showing, shown.passes + 1),
        sourceFacts(session),
        outOfScope(session, detectors),
        openRisks(session, shown.places),
        decidedFindings(session, shown.decisions + 1).then(ids => decidedRisks(session, ids)),
        attestationsInEffect(session, period, shown.attestations + 1).then(ids =>
          attestationsById(session, ids),
        ),
        scanCounts(session, period),
        scansOf(session, period, undefined, shown.scans),
        gathered(evidenceOf(session, period)),
      ]);
    return {
      organization,
      period,
      madeAt: taken_at,
      madeBy,
      matrix,
      mapping,
      passes,
      sources,
      outOfScope: uncovered,
      open,
      decided,
      attestations,
      scanCounts: counts,
      scans,
      evidence,
    };
  });
  return { ...facts, chain: await verifyAuditChain(store, signal) };
}

async function sourceFacts(session: TenantSession): Promise<SourceFacts[]> {
  const facts: SourceFacts[] = [];
  for await (const batch of assessedSources(session, await sourcesByName(session, null, shown.sources + 1)))
    for (const { name, kind, host, looked_at, lately } of batch) {
      facts.push({ name, kind, host, looked_at, ...lately });
    }
  return facts;
}

async function gathered<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}
