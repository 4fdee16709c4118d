import type { WorkerServices } from '../../src/worker/services.ts';
import { doWhatIsDue } from '../../src/worker/tasks/do-what-is-due.ts';

/** A turn of a service that has run for an hour, or for these milliseconds. */
export function dueTurn(
  { storage }: Pick<WorkerServices, 'storage'>,
  log: WorkerServices['log'] = () => {},
  continuousMs = 3_600_000,
): Promise<void> {
  return doWhatIsDue({ storage, privilegedConnections: false, log }, continuousMs);
}
