import type { ControlDetail } from '../../contract/dashboard/controls.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { factsOfChecks, mapChecks, showingIdsOf, storedIdsOf } from '../../domain/control-checks.ts';
import { listAttestations } from '../../resources/controls/attestations.ts';
import { factsByCheck } from '../../resources/controls/facts.ts';
import { findingsOfChecks } from '../../resources/controls/findings.ts';
import { listNotes } from '../../resources/controls/notes.ts';
import { gapsOf, passesOf, resultsBySource } from '../../resources/controls/results-of-checks.ts';
import { readMatrix } from './matrix.ts';

/** Maximum rows of each list: the list pages show the rest. */
const most = 50;

/** Details of a control; undefined if the rule has no such citation. */
export async function readControl(
  session: TenantSession,
  detectors: readonly DetectorDescription[],
  citation: string,
): Promise<ControlDetail | undefined> {
  const checks = mapChecks(detectors).get(citation);
  if (!checks) return undefined;
  const surfaces = [...new Set(checks.map(({ surface }) => surface))];
  const ids = storedIdsOf(checks);
  const results = factsByCheck(session);
  const flaws = findingsOfChecks(session, ids, most);
  const missing = gapsOf(session, ids, most);
  const [matrix, stored, passes, findings, gaps, sources, notes, attestations] = await Promise.all([
    readMatrix(session, detectors, results),
    results,
    passesOf(session, showingIdsOf(checks), most),
    flaws,
    missing,
    Promise.all([flaws, missing]).then(lists => {
      const listed = new Set(lists.flat().map(({ source_id }) => source_id));
      return resultsBySource(session, ids, surfaces, [...listed], most);
    }),
    listNotes(session, citation, most),
    listAttestations(session, citation, most),
  ]);
  const titles = new Map(checks.flatMap(mapped => storedIdsOf([mapped]).map(id => [id, mapped.check.title])));
  return {
    control: matrix.sections
      .flatMap(({ controls }) => controls)
      .find(control => control.citation === citation)!,
    checks: factsOfChecks(checks, stored).map(({ check, surface, ...facts }) => ({
      id: check.id,
      title: check.title,
      severity: check.severity,
      ...facts,
    })),
    passes: passes.map(pass => ({ ...pass, title: titles.get(pass.check)! })),
    sources,
    gaps: gaps.map(gap => ({ ...gap, title: titles.get(gap.check) ?? gap.check })),
    findings,
    notes,
    attestations,
  };
}
