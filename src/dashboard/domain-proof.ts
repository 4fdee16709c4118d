import type { DomainProof as ProofAnswer } from '../contract/dashboard/sources.ts';
import type { Source } from '../contract/sources.ts';
import { Refusal } from '../domain/refusal.ts';
import { assertAllowed } from '../domain/source-states.ts';
import type { DomainProof } from '../resources/sources/domain-proofs.ts';
import { validUntil } from '../resources/sources/source-detail.ts';
import type { DashboardServices } from './services.ts';

type Prover = Pick<DashboardServices, 'domainProof'>;

/** The proof with the places where its token is published; null for a source without a provable domain. */
export function describeProof(
  source: Source,
  proof: DomainProof | undefined,
  { domainProof }: Prover,
): ProofAnswer | null {
  // Only websites that Parapet connects to directly have full scans, which require domain proof.
  const isProvable =
    source.kind === 'website' && source.connection_mode === 'direct' && source.status !== 'disconnected';
  const places = isProvable ? domainProof.places(source.host) : null;
  if (!places) return null;
  return {
    record: { name: places.record, type: 'TXT' },
    url: places.url,
    token: proof?.token ?? null,
    proven_by: proof?.proven_by ?? null,
    proven_at: proof?.proven_at ?? null,
    valid_until: proof ? validUntil(proof) : null,
  };
}

/** `describeProof` for an action. Throws `not_found` for a source without a provable domain, and `source_is_draft`. */
export function assertedProof(source: Source, proof: DomainProof | undefined, services: Prover): ProofAnswer {
  const described = describeProof(source, proof, services);
  if (!described) throw new Refusal('not_found');
  assertAllowed(source.status, 'test');
  return described;
}
