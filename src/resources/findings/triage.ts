import type { FindingStatus } from '../../contract/findings.ts';
import { isWithinDays } from '../../database/is-within-days.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { recordPosture } from '../posture/posture.ts';

/** A person's triage of a finding. Observations of the detectors are in separate columns. */
export type Decision =
  | { readonly decision: 'accepted'; readonly reason: string; readonly until: Date }
  | { readonly decision: 'false_positive'; readonly reason: string }
  | { readonly decision: 'reopened'; readonly reason?: string };

/** Longest acceptance in days: accepted risks are reviewed within a year (plus a day for time zones). */
const longestAcceptance = 366;

/** The state of findings after triage. */
interface DecidedFinding {
  readonly id: string;
  readonly status: FindingStatus;
}

/**
 * Records a triage of findings, resolved or not. It applies through later scans, until it is changed or an acceptance
 * expires. All or nothing: throws `not_found`, with positions in the list, if the organization does not have all of
 * them. Throws `acceptance_out_of_range`.
 */
export async function decide(
  transaction: TenantTransaction,
  ids: readonly string[],
  decision: Decision,
): Promise<DecidedFinding[]> {
  const sources = await lockSourcesOf(transaction, ids);
  const until = decision.decision === 'accepted' ? decision.until : null;
  if (until !== null && !(await isWithinDays(transaction, until, longestAcceptance)))
    throw new Refusal('acceptance_out_of_range');
  const triage = decision.decision === 'reopened' ? null : decision.decision;
  const decided = await setTriage(transaction, ids, triage, until);
  assertAll(ids, decided);
  await recordDecision(transaction, ids, decision.decision, decision.reason ?? null, until);
  const action = `finding.${decision.decision}`;
  // Each finding stores the reason, which may be long. The audit log has it once; the other entries refer to that
  // entry.
  const reasonOf = (id: string) => (id === ids[0] ? { reason: decision.reason } : { same_reason_as: ids[0] });
  const detailOf = (id: string) => ({
    ...(decision.reason ? reasonOf(id) : {}),
    ...(until ? { until: until.toISOString() } : {}),
  });
  await recordPosture(transaction, ...sources);
  transaction.audit(
    ...ids.map(id => ({ action, objectKind: 'finding', objectId: id, detail: detailOf(id) })),
  );
  return ids.map(id => decided.find(finding => finding.id === id)!);
}

/** Throws `not_found` with the positions of findings that are not among those that were found. */
export function assertAll(ids: readonly string[], found: readonly { readonly id: string }[]): void {
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length === 0) return;
  const fields = unknown.map(index => ({ path: `ids.${index}`, message: 'is not an existing finding' }));
  // For a single finding, `fields` would add nothing.
  throw new Refusal('not_found', ids.length === 1 ? {} : { fields });
}

/** Expires an acceptance after its date. Does nothing if it was changed or extended meanwhile. */
export async function expireAcceptance(transaction: TenantTransaction, findingId: string): Promise<boolean> {
  const sources = await lockSourcesOf(transaction, [findingId]);
  const due = await transaction.query({
    text: `select from findings where id = $1 and triage = 'accepted' and accepted_until <= now()`,
    values: [findingId],
  });
  if (due.length === 0) return false;
  await setTriage(transaction, [findingId], null, null);
  await recordDecision(transaction, [findingId], 'expired', null, null);
  await recordPosture(transaction, ...sources);
  transaction.audit({
    action: 'finding.acceptance_expired',
    objectKind: 'finding',
    objectId: findingId,
  });
  return true;
}

const worsened = 'Severity increased since triage.';

/**
 * Reopens those of the findings whose severity increased since triage, since that was neither accepted nor marked as a
 * false positive. The source's row is already locked.
 */
export async function reopenWorse(
  transaction: TenantTransaction,
  findingIds: readonly string[],
): Promise<void> {
  const worse = await transaction.query<{ id: string }>({
    text: `select f.id from findings f where f.id = any($1) and f.triage is not null and f.severity_rank >
      (select severity_rank from finding_decisions d where d.finding_id = f.id order by number desc limit 1)`,
    values: [findingIds],
  });
  const ids = worse.map(({ id }) => id);
  if (ids.length === 0) return;
  await setTriage(transaction, ids, null, null);
  await recordDecision(transaction, ids, 'reopened', worsened, null);
  const entry = { action: 'finding.reopened', objectKind: 'finding', detail: { reason: worsened } };
  transaction.audit(...ids.map(objectId => ({ ...entry, objectId })));
}

/**
 * Locks the rows of their sources, which serializes everything that changes findings: scans that finish, triage, owners and due dates.
 */
export async function lockSourcesOf(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>({
    text: `select id from sources where id in (select source_id from findings where id = any($1)) order by id for no key update`,
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

async function setTriage(
  transaction: TenantTransaction,
  ids: readonly string[],
  triage: 'accepted' | 'false_positive' | null,
  until: Date | null,
): Promise<DecidedFinding[]> {
  return transaction.query<DecidedFinding>({
    text: `update findings set triage = $2, accepted_until = $3, updated_at = now() where id = any($1)
      returning id, status`,
    values: [ids, triage, until?.toISOString() ?? null],
  });
}

async function recordDecision(
  transaction: TenantTransaction,
  ids: readonly string[],
  decision: Decision['decision'] | 'expired',
  reason: string | null,
  until: Date | null,
): Promise<void> {
  const { kind, id } = transaction.actor;
  await transaction.query({
    text: `insert into finding_decisions
        (finding_id, severity_rank, number, decision, reason, accepted_until, actor_kind, actor_id)
      select id, severity_rank, 1 + (select count(*) from finding_decisions d where d.finding_id = findings.id),
        $2, $3, $4, $5, $6
      from findings where id = any($1)`,
    values: [ids, decision, reason, until?.toISOString() ?? null, kind, id],
  });
}
