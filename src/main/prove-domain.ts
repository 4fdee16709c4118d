import type { DashboardServices } from '../dashboard/services.ts';
import { SandboxDied } from '../sandbox/died.ts';
import { taskLimits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { TargetRefused } from '../surfaces/connection/target-guard.ts';
import { proofPlaces } from '../surfaces/website/proof-places.ts';

/** Looks for the proof of a website's domain, in the sandbox. What the target does wrong, or the guard refuses, is no proof. */
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
