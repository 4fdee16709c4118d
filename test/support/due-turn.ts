import type { WorkerServices } from '../../src/worker/services.ts';
import { deleteWhatIsOld } from '../../src/worker/tasks/delete-what-is-old.ts';
import { doWhatIsDue } from '../../src/worker/tasks/do-what-is-due.ts';

/** The recurring work of a service that has run for an hour, or for these milliseconds. */
export async function dueTurn(
  { storage }: Pick<WorkerServices, 'storage'>,
  log: WorkerServices['log'] = () => {},
  continuousMs = 3_600_000,
): Promise<void> {
  const services = { storage, privilegedConnections: false, log };
  await doWhatIsDue(services, continuousMs);
  await deleteWhatIsOld(services);
}
