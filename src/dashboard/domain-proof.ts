import type { DomainProof as ProofAnswer } from '../contract/dashboard/sources.ts';
import type { Source } from '../contract/sources.ts';
import { Refusal } from '../domain/refusal.ts';
import { assertAllowed } from '../domain/source-states.ts';
import { validUntil } from '../storage/dashboard/source-detail.ts';
import type { DomainProof } from '../storage/domain-proofs.ts';
import type { DashboardServices } from './services.ts';

/** Only a website that we connect to ourselves has a full scan, for which its domain is proven. */
export function isProvable({ kind, connection_mode, status }: Source): boolean {
  return kind === 'website' && connection_mode === 'direct' && status !== 'disconnected';
}

/** Throws `not_found` for a source that has no domain to prove, and `source_is_draft`. */
export function assertProvable(source: Source): void {
  if (!isProvable(source)) throw new Refusal('not_found');
  assertAllowed(source.status, 'test');
}

/** The proof with the places in which it has to be. */
export function describeProof(
  { host }: Source,
  proof: DomainProof | undefined,
  { domainProof }: Pick<DashboardServices, 'domainProof'>,
): ProofAnswer {
  const { record, url } = domainProof.places(host);
  return {
    record: { name: record, type: 'TXT' },
    url,
    token: proof?.token ?? null,
    proven_by: proof?.proven_by ?? null,
    proven_at: proof?.proven_at ?? null,
    valid_until: proof ? validUntil(proof) : null,
  };
}
