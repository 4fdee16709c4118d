import type { DomainProof as ProofAnswer } from '../contract/dashboard/sources.ts';
import type { Source } from '../contract/sources.ts';
import { Refusal } from '../domain/refusal.ts';
import { assertAllowed } from '../domain/source-states.ts';
import type { DomainProof } from '../resources/sources/domain-proofs.ts';
import { validUntil } from '../resources/sources/source-detail.ts';
import type { DashboardServices } from './services.ts';

type Prover = Pick<DashboardServices, 'domainProof'>;

/** The proof with the places in which it has to be; null for a source that has no domain to prove. */
export function describeProof(
  source: Source,
  proof: DomainProof | undefined,
  { domainProof }: Prover,
): ProofAnswer | null {
  // Only a website that we connect to ourselves has a full scan, for which its domain is proven.
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

/** The same, for an act on it. Throws `not_found` for a source that has no domain to prove, and `source_is_draft`. */
export function assertedProof(source: Source, proof: DomainProof | undefined, services: Prover): ProofAnswer {
  const described = describeProof(source, proof, services);
  if (!described) throw new Refusal('not_found');
  assertAllowed(source.status, 'test');
  return described;
}
