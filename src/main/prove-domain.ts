import type { DashboardServices } from '../dashboard/services.ts';
import type { CollectionOptions } from '../scan/collect-evidence.ts';
import { proveDomain } from '../scan/prove-domain.ts';
import { TargetRefused } from '../surfaces/target-guard.ts';
import { proofPlaces } from '../surfaces/website/domain-proof.ts';

/** Seconds that looking in both places may take. */
const timeoutSeconds = 15;

/** Looks for the proof of a website's domain. What the target does wrong, or the guard refuses, is no proof. */
export function domainProver(
  options: Pick<CollectionOptions, 'guard' | 'userAgent'>,
): DashboardServices['domainProof'] {
  return {
    places: host => {
      try {
        return proofPlaces(host);
      } catch (error) {
        if (error instanceof TargetRefused) return null;
        throw error;
      }
    },
    find: async (source, token) => {
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      try {
        return await proveDomain(source, token, { ...options, signal });
      } catch (error) {
        if (signal.aborted || error instanceof TargetRefused) return null;
        throw error;
      }
    },
  };
}
