import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Days until a domain must be proven again, since its owner may change. */
export const proofValidDays = 30;

/** SQL of whether the domain of a source has a current proof. @param source its id, as SQL */
export const hasCurrentProof = (source: string) =>
  `exists (select from domain_proofs where source_id = ${source} and proven_at > now() - interval '${proofValidDays} days')`;

/** Throws `forbidden` unless a person acts, and `domain_not_proven`: what only full scans do needs both. */
export async function assertFullDepth(transaction: TenantTransaction, sourceId: string): Promise<void> {
  if (transaction.actor.kind !== 'person') throw new Refusal('forbidden');
  const proven = await transaction.query({
    text: `select from sources where id = $1 and kind = 'website' and ${hasCurrentProof('sources.id')}`,
    values: [sourceId],
  });
  if (proven.length === 0) throw new Refusal('domain_not_proven');
}
