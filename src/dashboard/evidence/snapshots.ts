import { canonicalJson } from '../../domain/canonical-json.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { factsOfChecks, mapChecks } from '../../domain/control-checks.ts';
import { outdatedAfterDays } from '../../domain/control-states.ts';
import { Refusal } from '../../domain/refusal.ts';
import { newestAttestations } from '../../storage/controls/attestations.ts';
import { factsByCheck } from '../../storage/controls/facts.ts';
import { currentNotes } from '../../storage/controls/notes.ts';
import {
  assessedSources,
  beginSnapshot,
  scanFacts,
  unresolvedFindings,
} from '../../storage/evidence/snapshot-facts.ts';
import type { TenantSession } from '../../storage/tenant-store.ts';
import { readMatrix } from '../controls/matrix.ts';

/** So many of a kind are in a snapshot, which says where there are more. */
const most = { sources: 2000, findings: 5000 };

export interface Snapshot {
  readonly kind: 'controls' | 'scan';
  readonly name: string;
  readonly mediaType: 'application/json';
  readonly content: Buffer;
  readonly scanId?: string;
}

/** Every control as it stands, with the checks, sources, notes and attestations behind it, at one moment. */
export async function snapshotOfControls(
  session: TenantSession,
  detectors: readonly DetectorDescription[],
): Promise<Snapshot> {
  const { taken_at, ...organization } = await beginSnapshot(session);
  const [matrix, stored, attestations, notes, sources] = await Promise.all([
    readMatrix(session, detectors),
    factsByCheck(session),
    newestAttestations(session),
    currentNotes(session),
    assessedSources(session, null, most.sources + 1),
  ]);
  const mapping = mapChecks(detectors);
  const controls = matrix.sections.flatMap(section => section.controls);
  return document('controls', taken_at, {
    format: 'parapet-controls-snapshot-1',
    rule: '45 CFR Part 164, Subpart C',
    taken_at,
    organization,
    totals: matrix.totals,
    outdated_after_days: outdatedAfterDays,
    controls: controls.map(control => ({
      ...control,
      checks: factsOfChecks(mapping.get(control.citation)!.checks, stored).map(({ check, ...counts }) => ({
        id: check.id,
        title: check.title,
        ...counts,
      })),
      note: notes.get(control.citation) ?? null,
      attestation: attestations.find(({ control: citation }) => citation === control.citation) ?? null,
    })),
    sources: sources.slice(0, most.sources),
    sources_left_out: sources.length > most.sources,
  });
}

/**
 * A scan with its runs, and what was known of its sources when the snapshot was taken. Undefined when the organization has
 * no such scan. Throws `scan_not_finished`.
 */
export async function snapshotOfScan(session: TenantSession, id: string): Promise<Snapshot | undefined> {
  const { taken_at, ...organization } = await beginSnapshot(session);
  const scan = await scanFacts(session, id);
  if (!scan) return undefined;
  if (!scan.finished_at) throw new Refusal('scan_not_finished');
  const scanned = new Set(scan.runs.map(run => run.source_id));
  if (scan.source_id) scanned.add(scan.source_id);
  const [sources, { findings, total }] = await Promise.all([
    assessedSources(session, [...scanned], most.sources),
    unresolvedFindings(session, [...scanned], most.findings),
  ]);
  const content = {
    format: 'parapet-scan-snapshot-1',
    taken_at,
    organization,
    scan,
    sources,
    sources_total: scanned.size,
    findings,
    findings_total: total,
  };
  return { ...document('scan', taken_at, content), scanId: id };
}

function document(kind: Snapshot['kind'], takenAt: string, content: object): Snapshot {
  const moment = takenAt.slice(0, 19).replaceAll(':', '-');
  return {
    kind,
    name: `${kind}-${moment}Z.json`,
    mediaType: 'application/json',
    content: Buffer.from(canonicalJson(content)),
  };
}
