import type { DashboardServices } from '../dashboard/services.ts';
import { SandboxDied } from '../sandbox/died.ts';
import { taskLimits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { TargetRefused } from '../surfaces/connection/target-guard.ts';
import { proofPlaces } from '../surfaces/website/proof-places.ts';

/** Checks proof of domain in the sandbox. An error of the target or a refusal of the target guard counts as no proof. */
export function domainProver(sandbox: Pick<Sandbox, 'run'>): DashboardServices['domainProof'] {
  return {
    places: host => {
      try {
        return proofPlaces(host);
      } catch (error) {
        if (error instanceof TargetRefused) return null;
        throw error;
      }
    },
    find: async ({ host }, token, task) => {
      try {
        const found = await sandbox.run(
          'prove_domain',
          { host, token },
          { ...task, limits: taskLimits.connection },
        );
        return found?.by ?? null;
      } catch (error) {
        if (error instanceof SandboxDied) return null;
        throw error;
      }
    },
  };
}
