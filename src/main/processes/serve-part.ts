import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { version } from '../../domain/version.ts';
import type { Configuration } from '../configuration.ts';
import { drainBeforeStop, startService } from '../service.ts';
import { ReportedConnections } from './connections-of-all.ts';
import type { Command, Report } from './messages.ts';
import type { Part } from './part.ts';

interface Hooks {
  /** Resolves with a signal that stops this process. */
  readonly stopped: Promise<unknown>;
  readonly onLost: (cause: Error) => void;
  /** Called when the process begins to stop. */
  readonly onStopping: () => void;
}

/** Runs a part of the service until the supervisor ends it or is gone, or a signal stops it. False if it could not start. */
export async function servePart(
  part: Part,
  configuration: Configuration,
  logger: Logger,
  { stopped, onLost, onStopping }: Hooks,
): Promise<boolean> {
  // The terminal sends it to all processes; the supervisor replaces this one.
  process.on('SIGHUP', () => {});
  const connections = new ReportedConnections(report => void tell(report));
  const { drained, ended } = commands({
    metrics: () => void service?.metrics.snapshot().then(metrics => tell({ kind: 'metrics', metrics })),
    refuse: ({ id, limit }) => connections.refuse(id, limit),
    unready: () => service?.unready(),
  });
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  try {
    service = await startService({ ...configuration, managementPort: 'off' }, part.role, logger, {
      onLost,
      processes: part.processes,
      together: connections,
    });
  } catch (error) {
    const { name = 'Error', message = String(error), stack } = error as Partial<Error>;
    await tell({ kind: 'failed', name, message, ...(stack === undefined ? {} : { stack }) });
    return false;
  }
  const { url, metrics } = service;
  await tell({ kind: 'ready', version, ...(url === undefined ? {} : { url }) });
  // The signal may come to all processes of the group: the supervisor waits as well, then ends this one.
  const drainedBySignal = stopped.then(() => drainBeforeStop(service!, configuration, logger));
  const stop = Promise.race([drainedBySignal, ended]);
  await Promise.race([stop, drained.then(() => Promise.race([stop, service.drain()]))]);
  onStopping();
  await service.stop();
  // The last counts must not be lost.
  await tell({ kind: 'metrics', metrics: await metrics.snapshot() });
  return true;
}

type Refuse = Extract<Command, { kind: 'refuse' }>;

function commands(handlers: { metrics(): void; refuse(command: Refuse): void; unready(): void }): {
  drained: Promise<void>;
  ended: Promise<void>;
} {
  let drain!: () => void;
  let end!: () => void;
  const drained = new Promise<void>(resolve => {
    drain = resolve;
  });
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  process.on('message', (command: Command) => {
    if (command.kind === 'drain') drain();
    if (command.kind === 'stop') end();
    if (command.kind === 'metrics') handlers.metrics();
    if (command.kind === 'unready') handlers.unready();
    if (command.kind === 'refuse') handlers.refuse(command);
  });
  cluster.worker!.once('disconnect', () => {
    // Otherwise the library ends this process at once, when its supervisor was killed.
    cluster.worker!.exitedAfterDisconnect = true;
    end();
  });
  return { drained, ended };
}

/** Resolves when it was sent, or cannot be, because the supervisor is gone. */
function tell(report: Report): Promise<void> {
  return new Promise(resolve => {
    if (!process.connected) return resolve();
    process.send!(report, undefined, {}, () => resolve());
  });
}
