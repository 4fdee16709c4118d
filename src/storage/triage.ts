import { Refusal } from '../domain/refusal.ts';
import { recordPosture } from './posture.ts';
import type { TenantSession, TenantTransaction } from './tenant-store.ts';

/** What a person decided about a finding. What the detectors see is a column of its own. */
export type Decision =
  | { readonly decision: 'accepted'; readonly reason: string; readonly until: Date }
  | { readonly decision: 'false_positive'; readonly reason: string }
  | { readonly decision: 'reopened'; readonly reason?: string };

/** Days that an acceptance may last: whoever accepts a risk looks at it again within a year (and a day for zones). */
const longestAcceptance = 366;

/**
 * Records a decision about a finding, resolved or not: it holds through later scans, until it is changed or, for an
 * acceptance, until its date. False when the organization has no such finding. Throws `acceptance_out_of_range`.
 */
export async function decide(
  transaction: TenantTransaction,
  findingId: string,
  decision: Decision,
): Promise<boolean> {
  const sourceId = await lockFinding(transaction, findingId);
  if (sourceId === undefined) return false;
  const until = decision.decision === 'accepted' ? decision.until : null;
  if (until !== null && !(await isAcceptable(transaction, until)))
    throw new Refusal('acceptance_out_of_range');
  const triage = decision.decision === 'reopened' ? null : decision.decision;
  await setTriage(transaction, findingId, triage, until);
  await recordDecision(transaction, findingId, decision.decision, decision.reason ?? null, until);
  await transaction.audit({
    action: `finding.${decision.decision}`,
    objectKind: 'finding',
    objectId: findingId,
    detail: {
      ...(decision.reason ? { reason: decision.reason } : {}),
      ...(until ? { until: until.toISOString() } : {}),
    },
  });
  await recordPosture(transaction, sourceId);
  return true;
}

/** Ends an acceptance whose date has come. Nothing happens where it was changed or prolonged meanwhile. */
export async function expireAcceptance(transaction: TenantTransaction, findingId: string): Promise<boolean> {
  const sourceId = await lockFinding(transaction, findingId);
  const due = await transaction.query({
    text: `select from findings where id = $1 and triage = 'accepted' and accepted_until <= now()`,
    values: [findingId],
  });
  if (sourceId === undefined || due.length === 0) return false;
  await setTriage(transaction, findingId, null, null);
  await recordDecision(transaction, findingId, 'expired', null, null);
  await transaction.audit({
    action: 'finding.acceptance_expired',
    objectKind: 'finding',
    objectId: findingId,
  });
  await recordPosture(transaction, sourceId);
  return true;
}

/** Its source's row orders all that changes a source's findings: scans that conclude, and people who decide. */
async function lockFinding(transaction: TenantTransaction, id: string): Promise<string | undefined> {
  const rows = await transaction.query<{ id: string }>({
    text: 'select id from sources where id = (select source_id from findings where id = $1) for update',
    values: [id],
  });
  return rows[0]?.id;
}

async function isAcceptable(session: TenantSession, until: Date): Promise<boolean> {
  const rows = await session.query<{ ok: boolean }>({
    text: `select $1::timestamptz > now() and $1::timestamptz <= now() + make_interval(days => $2) as ok`,
    values: [until.toISOString(), longestAcceptance],
  });
  return rows[0]!.ok;
}

async function setTriage(
  transaction: TenantTransaction,
  id: string,
  triage: 'accepted' | 'false_positive' | null,
  until: Date | null,
): Promise<void> {
  await transaction.query({
    text: 'update findings set triage = $2, accepted_until = $3, updated_at = now() where id = $1',
    values: [id, triage, until?.toISOString() ?? null],
  });
}

async function recordDecision(
  transaction: TenantTransaction,
  findingId: string,
  decision: Decision['decision'] | 'expired',
  reason: string | null,
  until: Date | null,
): Promise<void> {
  const { kind, id } = transaction.actor;
  await transaction.query({
    text: `insert into finding_decisions
        (finding_id, number, decision, reason, accepted_until, actor_kind, actor_id)
      select $1, 1 + count(*), $2, $3, $4, $5, $6 from finding_decisions where finding_id = $1`,
    values: [findingId, decision, reason, until?.toISOString() ?? null, kind, id],
  });
}
