import { setImmediate as nextTurn } from 'node:timers/promises';
import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { canonicalPieces } from '../../domain/canonical-json.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { factsOfChecks, type MappedCheck, mapChecks, showingIdsOf } from '../../domain/control-checks.ts';
import { Refusal } from '../../domain/refusal.ts';
import { newestAttestations } from '../../resources/controls/attestations.ts';
import { factsByCheck } from '../../resources/controls/facts.ts';
import { currentNotes } from '../../resources/controls/notes.ts';
import { type Pass, passesOf } from '../../resources/controls/results-of-checks.ts';
import {
  assessedSources,
  beginSnapshot,
  countScannedSources,
  scanFacts,
  sourcesByName,
  unresolvedFindings,
} from '../../resources/evidence/snapshot-facts.ts';
import { readMatrix } from '../controls/matrix.ts';

/** Maximum items in a snapshot, which states whether lists are truncated. */
const most = { sources: 2000, findings: 5000, passes: 20_000 };

export interface Snapshot {
  readonly kind: 'controls' | 'scan';
  readonly name: string;
  readonly mediaType: 'application/json';
  /** Written while it is read from the session. */
  readonly content: AsyncIterable<string>;
  readonly scanId?: string;
}

/** Snapshot of every control with its checks, sources, notes and attestations, at one moment. */
export async function snapshotOfControls(
  session: TenantSession,
  detectors: readonly DetectorDescription[],
): Promise<Snapshot> {
  const { taken_at, ...organization } = await beginSnapshot(session);
  const mapping = mapChecks(detectors);
  const showing = [...new Set([...mapping.values()].flatMap(showingIdsOf))];
  const results = factsByCheck(session);
  const [matrix, stored, passes, attestations, notes, ids] = await Promise.all([
    readMatrix(session, detectors, results),
    results,
    passesOf(session, showing, most.passes + 1),
    newestAttestations(session),
    currentNotes(session),
    sourcesByName(session, null, most.sources + 1),
  ]);
  const controls = matrix.sections.flatMap(section => section.controls);
  return document('controls', taken_at, {
    format: 'parapet-controls-snapshot-2',
    rule: '45 CFR Part 164, Subpart C',
    taken_at,
    organization,
    totals: matrix.totals,
    outdated_after_days: outdatedAfterDays,
    controls: piecewise(controls, control => ({
      ...control,
      checks: factsOfChecks(mapping.get(control.citation)!, stored).map(({ check, surface, ...facts }) => ({
        id: check.id,
        title: check.title,
        surface,
        ...facts,
      })),
      passes: passesThatShow(passes, mapping.get(control.citation)!),
      note: notes.get(control.citation) ?? null,
      attestation: attestations.find(({ control: citation }) => citation === control.citation) ?? null,
    })),
    sources: assessedSources(session, ids.slice(0, most.sources)),
    passes_left_out: passes.length > most.passes,
    sources_left_out: ids.length > most.sources,
  });
}

function passesThatShow(passes: readonly Pass[], checks: readonly MappedCheck[]): readonly Pass[] {
  const ids = new Set(showingIdsOf(checks));
  return ids.size === 0 ? [] : passes.slice(0, most.passes).filter(({ check }) => ids.has(check));
}

/** Yields each item as a separate piece. */
async function* piecewise<Item>(
  items: readonly Item[],
  write: (item: Item) => object,
): AsyncGenerator<readonly object[]> {
  for (const item of items) yield [write(item)];
}

/**
 * Snapshot of a scan with its runs, and the facts about its sources at the time of the snapshot. Undefined if the
 * organization has no such scan. Throws `scan_not_finished`.
 */
export async function snapshotOfScan(session: TenantSession, id: string): Promise<Snapshot | undefined> {
  const { taken_at, ...organization } = await beginSnapshot(session);
  const scan = await scanFacts(session, id);
  if (!scan) return undefined;
  if (!scan.finished_at) throw new Refusal('scan_not_finished');
  const [ids, sources_total, { findings, total }] = await Promise.all([
    sourcesByName(session, id, most.sources),
    countScannedSources(session, id),
    unresolvedFindings(session, id, most.findings),
  ]);
  const content = {
    format: 'parapet-scan-snapshot-1',
    taken_at,
    organization,
    scan,
    sources: assessedSources(session, ids),
    sources_total,
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
    content: canonicalPieces(content),
  };
}

/**
 * Reads the content completely, and yields to other work between pieces. Throws `evidence_full` as soon as it exceeds the
 * limit.
 *
 * @param room limit in bytes
 */
export async function writeContent(
  content: AsyncIterable<string>,
  room = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const text of content) {
    const piece = Buffer.from(text);
    bytes += piece.length;
    if (bytes > room) throw new Refusal('evidence_full');
    pieces.push(piece);
    await nextTurn();
  }
  return Buffer.concat(pieces);
}
