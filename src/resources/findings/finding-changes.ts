import type { Expression } from 'kysely';
import { anyOf, countOfRows } from '../../database/expressions.ts';
import { idsOf } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import type { FindingChanges, ObservedFlaw, StoredFinding } from '../../domain/finding-changes.ts';
import { reopenWorse } from './triage.ts';

interface Target {
  readonly sourceId: string;
  readonly systemId: string;
  readonly scanId: string;
}

/**
 * The findings of a source that a scan can change: open ones, and those that it observed. A target that shows different
 * flaws in each scan leaves a long history.
 */
export async function storedFindings(
  transaction: TenantTransaction,
  sourceId: string,
  seen: readonly ObservedFlaw[],
): Promise<StoredFinding[]> {
  return transaction.query<StoredFinding>({
    // Not prepared: a plan that was made for an empty table would read all findings of the organization.
    text: `select id, fingerprint, category, locator, subject, observed from findings
      where source_id = $1 and (observed or fingerprint = any($2))`,
    values: [
      sourceId,
      seen.flatMap(({ fingerprint, formerFingerprints }) => [fingerprint, ...formerFingerprints]),
    ],
  });
}

const mostSevereLocators = prepared(
  ({
    source,
    checks,
  }: {
    readonly source: Expression<string>;
    readonly checks: Expression<readonly string[]>;
  }) =>
    db
      .selectFrom('findings')
      .select('locator')
      .where('source_id', '=', source)
      .where('observed', '=', true)
      .where('category', '=', anyOf(checks))
      .orderBy('severity_rank', 'desc')
      .orderBy('id')
      .limit(20),
);

/** Locators of the source's observed findings of these checks, most severe first, at most 20. */
export async function openLocators(session: TenantSession, sourceId: string, checks: readonly string[]) {
  if (checks.length === 0) return [];
  const rows = await session.query(mostSevereLocators({ source: sourceId, checks }));
  return rows.map(({ locator }) => locator);
}

/** Pages or databases in which the source's open findings were last observed, at most 20. */
export async function openSubjects(session: TenantSession, sourceId: string): Promise<string[]> {
  const rows = await session.query<{ subject: string }>({
    name: 'open-subjects',
    text: `select subject from findings where source_id = $1 and observed and subject is not null
      group by subject order by max(severity_rank) desc, subject limit 20`,
    values: [sourceId],
  });
  return rows.map(({ subject }) => subject);
}

const findingsOfSource = prepared(({ source }: { readonly source: Expression<string> }) =>
  db.selectFrom('findings').where('source_id', '=', source).select(countOfRows.as('count')),
);

/** The number of stored findings of a source, observed or not. */
export async function countFindings(transaction: TenantTransaction, sourceId: string): Promise<number> {
  return (await transaction.query(findingsOfSource({ source: sourceId })))[0]!.count;
}

/** Writes the changes from `reconcile`, with the episodes that begin and end. */
export async function applyFindingChanges(
  transaction: TenantTransaction,
  target: Target,
  changes: FindingChanges,
): Promise<void> {
  // In pieces: the driver serializes all values of a statement at once, which blocks the event loop.
  for (const flaws of pieces(changes.opened)) await insertOpened(transaction, target, flaws);
  for (const seen of pieces([...changes.updated, ...changes.reopened])) {
    await refresh(transaction, seen);
    await reopenWorse(transaction, idsOf(seen));
  }
  await beginEpisodes(transaction, target.scanId, idsOf(changes.reopened));
  await resolve(transaction, target.scanId, changes.resolved);
}

const rowsAtOnce = 250;

function* pieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce);
}

/** Inserts findings with their first episodes. */
async function insertOpened(transaction: TenantTransaction, target: Target, flaws: readonly ObservedFlaw[]) {
  await transaction.query({
    name: 'insert-findings',
    text: `with added as (
        insert into findings (system_id, source_id, fingerprint, category, locator, severity, title, remediation, seen, hipaa, subject)
        select $1, $2, f.* from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
          $11::boolean[], $12::text[]) as f
        returning id)
      insert into finding_episodes (finding_id, number, opened_by_scan) select id, 1, $3 from added`,
    values: [target.systemId, target.sourceId, target.scanId, ...columnsOf(flaws)],
  });
}

async function refresh(transaction: TenantTransaction, changes: FindingChanges['updated']) {
  await transaction.query({
    name: 'refresh-findings',
    text: `update findings set observed = true, updated_at = now(), last_seen_at = now(), fingerprint = f.fingerprint, category = f.category,
        locator = f.locator, severity = f.severity, title = f.title, remediation = f.remediation, seen = f.seen,
        hipaa = f.hipaa, subject = f.subject
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::boolean[], $10::text[]) as f (id, fingerprint, category, locator, severity, title, remediation, seen, hipaa, subject)
      where findings.id = f.id`,
    values: [idsOf(changes), ...columnsOf(changes.map(({ flaw }) => flaw))],
  });
}

/** Maximum number of episodes of a finding: a target could show a flaw in every other scan. */
export const episodesPerFinding = 100;

/** Begins a new episode of each, or continues the last one of findings at the limit. */
async function beginEpisodes(transaction: TenantTransaction, scanId: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  await transaction.query({
    name: 'begin-episodes',
    text: `with last as (
        select id, coalesce((select max(number) from finding_episodes e where e.finding_id = id), 0) as number
        from unnest($1::uuid[]) as id),
      goes_on as (
        update finding_episodes e set closed_at = null, closed_by_scan = null
        from last where e.finding_id = last.id and e.number = last.number and last.number >= $3)
      insert into finding_episodes (finding_id, number, opened_by_scan)
      select id, number + 1, $2 from last where number < $3`,
    values: [ids, scanId, episodesPerFinding],
  });
}

async function resolve(transaction: TenantTransaction, scanId: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  await transaction.query({
    name: 'resolve-findings',
    text: `with gone as (
        update findings set observed = false, updated_at = now() where id = any($1) returning id)
      update finding_episodes e set closed_at = now(), closed_by_scan = $2
      from gone where e.finding_id = gone.id and e.closed_at is null`,
    values: [ids, scanId],
  });
}

/**
 * Fingerprint, category, locator, severity, title, remediation, seen, hipaa, subject: in this order in every insert or
 * update of flaws.
 */
function columnsOf(flaws: readonly ObservedFlaw[]) {
  return [
    flaws.map(flaw => flaw.fingerprint),
    flaws.map(flaw => flaw.category),
    flaws.map(flaw => flaw.locator),
    flaws.map(flaw => flaw.severity),
    flaws.map(flaw => flaw.title),
    flaws.map(flaw => flaw.remediation),
    flaws.map(flaw => flaw.seen),
    flaws.map(flaw => flaw.hipaa),
    flaws.map(flaw => flaw.subject),
  ] as const;
}
