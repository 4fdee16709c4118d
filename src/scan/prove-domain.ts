import { withinTime } from '../domain/within-time.ts';
import { TargetRefused } from '../surfaces/connection/target-guard.ts';
import { findDomainProof } from '../surfaces/website/domain-proof.ts';
import type { Proof } from '../surfaces/website/proof-coverage.ts';
import type { CollectionOptions } from './collect.ts';

/** Seconds that both lookups together may take. */
const timeoutSeconds = 15;

/** The proof of a website's domain by this token, or null. A target that fails proves nothing. */
export async function proveDomain(
  host: string,
  token: string,
  options: Pick<CollectionOptions, 'guard' | 'userAgent'>,
): Promise<Proof | null> {
  return withinTime(timeoutSeconds * 1000, undefined, async signal => {
    try {
      return await findDomainProof(host, token, { ...options, signal });
    } catch (error) {
      if (signal.aborted || error instanceof TargetRefused) return null;
      throw error;
    }
  });
}
