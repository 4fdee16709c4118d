import type { Attestation, AttestControl } from '../../contract/dashboard/controls.ts';
import { isWithinDays } from '../../database/is-within-days.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { longestAttestation } from '../../domain/control-states.ts';
import { Refusal } from '../../domain/refusal.ts';
import { controlByCitation } from '../../domain/security-rule.ts';
import { nameOfPerson } from '../people/person-name.ts';
import { linkEvidence, linkedEvidence } from './attestation-evidence.ts';

/** Evidence items per attestation. */
const mostLinks = 100;

const nameOf = (column: string) => nameOfPerson(`m.person_id = a.${column}`);
/** A subquery per row uses the index; as a condition on later rows, PostgreSQL compared all rows with all. */
const isNewest = `a.id = (select newest.id from control_attestations newest where newest.control = a.control
  order by newest.attested_at desc, newest.id desc limit 1)`;
export const attestationColumns = `a.id, a.control, a.applies, a.statement, a.attested_at, a.valid_until, a.withdrawn_at, a.withdrawal_reason,
  ${nameOf('attested_by')} as attested_by, ${nameOf('withdrawn_by')} as withdrawn_by,
  ${linkedEvidence} as evidence,
  case when a.withdrawn_at is not null then 'withdrawn' when not ${isNewest} then 'superseded'
    when a.valid_until <= now() then 'expired' else 'current' end as state`;

/**
 * Throws `attestation_out_of_range`, `not_found` for evidence that cannot be linked, and `invalid_body` if a control
 * that applies to every organization is marked as not applicable.
 */
export async function attest(
  transaction: TenantTransaction,
  control: string,
  { statement, valid_until, applies = true, evidence_ids = [] }: AttestControl,
): Promise<Attestation> {
  if (!applies && controlByCitation(control)?.condition == null) {
    const message = 'must be true: this control applies to every organization';
    throw new Refusal('invalid_body', { fields: [{ path: 'applies', message }] });
  }
  const until = new Date(valid_until);
  if (!(await isWithinDays(transaction, until, longestAttestation)))
    throw new Refusal('attestation_out_of_range');
  const rows = await transaction.query<{ id: string }>({
    text: `insert into control_attestations (control, applies, statement, attested_by, valid_until)
      values ($1, $2, $3, $4, $5) returning id`,
    values: [control, applies, statement, transaction.actor.id, until.toISOString()],
  });
  transaction.audit({
    action: 'control.attested',
    objectKind: 'control',
    objectId: control,
    detail: { attestation_id: rows[0]!.id, applies, valid_until: until.toISOString() },
  });
  if (evidence_ids.length > 0) await linkEvidence(transaction, control, rows[0]!.id, evidence_ids);
  return (await find(transaction, control, rows[0]!.id))!;
}

/**
 * Links more evidence. Undefined if the control has no such attestation. Throws `attestation_not_current`, and
 * `not_found` for evidence that cannot be linked.
 */
export async function addEvidence(
  transaction: TenantTransaction,
  control: string,
  id: string,
  evidenceIds: readonly string[],
): Promise<Attestation | undefined> {
  // Locked against simultaneous withdrawals and further links.
  await transaction.query({
    text: 'select from control_attestations where control = $1 and id = $2 for update',
    values: [control, id],
  });
  const attestation = await find(transaction, control, id);
  if (!attestation) return undefined;
  if (attestation.state !== 'current') throw new Refusal('attestation_not_current');
  if (attestation.evidence.length + evidenceIds.length > mostLinks) throw new Refusal('too_much_evidence');
  await linkEvidence(transaction, control, id, evidenceIds);
  return find(transaction, control, id);
}

/** Undefined if the control has no such attestation. Throws `attestation_not_newest` if it no longer counts. */
export async function withdraw(
  transaction: TenantTransaction,
  control: string,
  id: string,
  reason: string,
): Promise<Attestation | undefined> {
  const rows = await transaction.query({
    text: `update control_attestations a set withdrawn_at = now(), withdrawn_by = $3, withdrawal_reason = $4
      where a.control = $1 and a.id = $2 and a.withdrawn_at is null and ${isNewest} returning a.id`,
    values: [control, id, transaction.actor.id, reason],
  });
  if (rows.length === 0) {
    if (await find(transaction, control, id)) throw new Refusal('attestation_not_newest');
    return undefined;
  }
  transaction.audit({
    action: 'control.attestation_withdrawn',
    objectKind: 'control',
    objectId: control,
    detail: { attestation_id: id, reason },
  });
  return find(transaction, control, id);
}

async function find(session: TenantSession, control: string, id: string): Promise<Attestation | undefined> {
  const rows = await session.query<Attestation>({
    text: `select ${attestationColumns} from control_attestations a where a.control = $1 and a.id = $2`,
    values: [control, id],
  });
  return rows[0];
}

/** The attestations of one control, newest first. */
export async function listAttestations(session: TenantSession, control: string, limit: number) {
  return session.query<Attestation>({
    text: `select ${attestationColumns} from control_attestations a where a.control = $1
      order by a.attested_at desc, a.id desc limit $2`,
    values: [control, limit],
  });
}

/** The newest attestation of each control unless withdrawn, ordered by citation. */
export async function newestAttestations(session: TenantSession): Promise<Attestation[]> {
  return session.query<Attestation>({
    text: `select ${attestationColumns} from (select distinct on (control) * from control_attestations
        order by control, attested_at desc, id desc) a
      where a.withdrawn_at is null order by a.control`,
  });
}
