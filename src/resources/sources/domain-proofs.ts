import { randomBytes } from 'node:crypto';
import type { Scan } from '../../contract/scans.ts';
import { now } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { enqueueScan, type ScanningService } from '../scans/request-scan.ts';
import { lockAuthorizedSource } from '../scans/scans.ts';
import { assertFullDepth } from './current-proof.ts';

/** How a domain was proven: see `findDomainProof` of the website surface for where the token must be published. */
export type ProofMethod = 'dns_txt' | 'well_known_file';

export interface DomainProof {
  readonly token: string;
  readonly proven_by: ProofMethod | null;
  readonly proven_at: string | null;
}

/** The token to publish for the source's domain: created once and kept. */
export async function requestDomainProof(
  transaction: TenantTransaction,
  sourceId: string,
): Promise<DomainProof> {
  const rows = await transaction.query({
    text: `insert into domain_proofs (source_id, token) values ($1, $2)
      on conflict (organization_id, source_id) do nothing returning source_id`,
    values: [sourceId, `parapet-${randomBytes(24).toString('hex')}`],
  });
  if (rows.length > 0) {
    transaction.audit({
      action: 'source.domain_proof_requested',
      objectKind: 'source',
      objectId: sourceId,
    });
  }
  return (await storedDomainProof(transaction, sourceId))!;
}

export async function storedDomainProof(
  session: TenantSession,
  sourceId: string,
): Promise<DomainProof | undefined> {
  const proofs = db.selectFrom('domain_proofs').where('source_id', '=', sourceId);
  return (await session.query(proofs.select(['token', 'proven_by', 'proven_at'])))[0];
}

/** Records that the token was found: the proof is valid from now. */
export async function recordDomainProof(
  transaction: TenantTransaction,
  sourceId: string,
  method: ProofMethod,
): Promise<void> {
  await transaction.query(
    db
      .updateTable('domain_proofs')
      .set({ proven_by: method, proven_at: now })
      .where('source_id', '=', sourceId),
  );
  transaction.audit({
    action: 'source.domain_proven',
    objectKind: 'source',
    objectId: sourceId,
    detail: { method },
  });
}

/**
 * Queues a `full_active` scan of a website with a proven domain. The transaction's actor must be a person. Throws
 * `forbidden`, `domain_not_proven` and like `enqueueScan`.
 */
export async function requestFullActiveScan(
  transaction: TenantTransaction,
  sourceId: string,
  service: ScanningService,
): Promise<Scan> {
  if (transaction.actor.kind !== 'person') throw new Refusal('forbidden');
  const source = await lockAuthorizedSource(transaction, sourceId);
  if (!source) throw new Refusal('scan_not_authorized');
  await assertFullDepth(transaction, sourceId);
  return (await enqueueScan(transaction, { profile: 'full_active', source_id: sourceId }, service))!;
}
