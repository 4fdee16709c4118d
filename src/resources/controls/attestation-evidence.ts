import { jsonTimestamp } from '../../database/json-text.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/**
 * Evidence that can support an attestation and is still kept. Snapshots of the controls contain the attestations, so
 * they prove none.
 */
const canProve = `e.retained_until > now() and e.kind in ('scan', 'file')`;

/**
 * The evidence of the attestation `a` as JSON, in the order in which it was linked, without evidence that is no longer
 * kept.
 */
export const linkedEvidence = `coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'kind', e.kind,
      'sha256', encode(e.sha256, 'hex'), 'linked_at', ${jsonTimestamp('l.linked_at')}, 'verdict', c.verdict) order by l.linked_at, e.created_at, e.id)
    from attestation_evidence l join evidence e on e.id = l.evidence_id left join scans c on c.id = e.scan_id
    where l.attestation_id = a.id and ${canProve}), '[]')`;

/**
 * Links evidence to an attestation of the control. Throws `not_found` for evidence that does not exist or cannot
 * support an attestation.
 */
export async function linkEvidence(
  transaction: TenantTransaction,
  control: string,
  attestationId: string,
  evidenceIds: readonly string[],
): Promise<void> {
  const found = await transaction.query<{ id: string; name: string; sha256: string }>({
    text: `select e.id, e.name, encode(e.sha256, 'hex') as sha256 from evidence e where e.id = any($1) and ${canProve}`,
    values: [evidenceIds],
  });
  const known = new Set(found.map(({ id }) => id));
  const fields = evidenceIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `evidence_ids.${index}`, message: 'is not evidence that can be linked' }],
  );
  if (fields.length > 0) throw new Refusal('not_found', { fields });
  await transaction.query({
    text: `insert into attestation_evidence (attestation_id, evidence_id, linked_by)
      select $1, unnest($2::uuid[]), $3 on conflict do nothing`,
    values: [attestationId, evidenceIds, transaction.actor.id],
  });
  transaction.audit({
    action: 'control.evidence_linked',
    objectKind: 'control',
    objectId: control,
    detail: {
      attestation_id: attestationId,
      evidence: found.map(({ id, name, sha256 }) => ({ id, name, sha256 })),
    },
  });
}
