import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { Storage } from '../../resources/storage.ts';
import { prepareBackups, readBackupSchedule } from '../backup-schedule.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { setUpText } from '../dashboard-links.ts';
import { LogDestination } from '../log-destination.ts';
import { createLogger } from '../logger.ts';
import { usualProcesses } from '../processes/how-many.ts';
import { partOf } from '../processes/part.ts';
import { servePart } from '../processes/serve-part.ts';
import { type SupervisedService, startProcesses } from '../processes/supervised-service.ts';
import { Running } from '../running.ts';
import { type ScheduledBackups, scheduleBackups } from '../schedule-backups.ts';
import { drainBeforeStop, type Role, startService } from '../service.ts';

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly data?: string;
  readonly processes?: string;
  readonly role: string;
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('start the service: API, dashboard and scan worker')
    .option('--port <number>', 'port to listen on (PORT, default 8080)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)')
    .option('--processes <number>', 'processes for requests (PARAPET_PROCESSES, default: as many as cores)')
    .option('--role <role>', 'what this process runs: all, api or worker', 'all')
    .action(serve);
}

/** Milliseconds for a stop: longer than any request, job or query may take, in case the database hangs. */
const longestStopMs = 45_000;

/** Milliseconds more for processes that must be ended. */
const longestKillMs = 5_000;

/** Heap growth between collections in percent: marking a larger heap delays all requests (docs/benchmarks.md). */
const heapGrowingPercent = 150;

async function serve(options: Options): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const { role } = options;
  if (!isRole(role)) throw new ConfigurationError(`--role must be all, api or worker, not ${role}`);
  if (role === 'worker' && options.processes !== undefined) {
    throw new ConfigurationError('--processes is for requests: --role worker has one process');
  }
  const configuration = readConfiguration(process.env, options);
  const part = partOf(process.env);
  const usual = usualProcesses(role === 'all' ? configuration.scanMemoryBytes : 0);
  const wanted = role === 'worker' || part ? 1 : (configuration.processes ?? usual);
  const log = new LogDestination(1, { isShared: part !== undefined || wanted > 1 });
  const running = new Running(createLogger(configuration.logLevel, log), log);
  if (part) {
    const { stopped, onLost } = running;
    const onStopping = () => running.stopWithin(longestStopMs);
    const hasStarted = await servePart(part, configuration, running.logger, { stopped, onLost, onStopping });
    await running.finishLog();
    process.exit(hasStarted ? 0 : 1);
  }
  // Before anything starts, if the scheduled backups could not be written.
  const schedule = role === 'api' ? undefined : readBackupSchedule(process.env);
  const logEvent = (event: string, fields: object) => running.logger.info(fields, event);
  if (schedule) await prepareBackups(schedule, configuration, logEvent);
  const backUp = (storage: Storage) =>
    schedule &&
    scheduleBackups(schedule, {
      storage,
      dataDirectory: configuration.dataDirectory,
      logger: running.logger,
    });
  const several =
    role !== 'worker' && wanted > 1
      ? await startSeveral(configuration, role, wanted, running, backUp)
      : undefined;
  if (!several) await serveAlone(configuration, role, running, backUp);
}

/** Starts the scheduled backups. Undefined if this node makes none. */
type BackUp = (storage: Storage) => ScheduledBackups | undefined;

/** Serves with several processes until it is stopped. Undefined if it cannot. */
async function startSeveral(
  configuration: Configuration,
  role: 'all' | 'api',
  wanted: number,
  running: Running,
  backUp: BackUp,
): Promise<SupervisedService | undefined> {
  const { logger, onLost } = running;
  let restart = async () => logger.warn({ reason: 'the service starts' }, 'restart.ignored');
  const onHangUp = () => void restart();
  process.on('SIGHUP', onHangUp);
  const service = await startProcesses(configuration, role, wanted, logger, onLost);
  if (!service) {
    process.off('SIGHUP', onHangUp);
    return undefined;
  }
  running.beforeEnd = () => service.kill();
  restart = () => service.restart();
  const { url, managementUrl: management, processes } = service;
  logger.info({ url, management, role, processes }, 'ready');
  if (url) await printSetUp(service.storage, configuration, url);
  const backups = backUp(service.storage);
  await running.untilStopped();
  await drainBeforeStop(service, configuration, logger);
  running.stopWithin(longestStopMs + longestKillMs);
  await backups?.stop();
  await service.stop(longestStopMs);
  await running.end();
  return service;
}

async function serveAlone(
  configuration: Configuration,
  role: Role,
  running: Running,
  backUp: BackUp,
): Promise<void> {
  const { logger, onLost } = running;
  // Its default would end the process.
  process.on('SIGHUP', () =>
    logger.warn({ reason: 'it needs more than one process (PARAPET_PROCESSES)' }, 'restart.ignored'),
  );
  const service = await startService(configuration, role, logger, { onLost });
  logger.info({ url: service.url, management: service.managementUrl, role }, 'ready');
  if (service.url) await printSetUp(service.storage, configuration, service.url);
  const backups = backUp(service.storage);
  await running.untilStopped();
  await drainBeforeStop(service, configuration, logger);
  running.stopWithin(longestStopMs);
  await backups?.stop();
  await service.stop();
  await running.end();
}

/** On the other stream than the log. */
async function printSetUp(storage: Storage, configuration: Configuration, url: string): Promise<void> {
  const text = await setUpText(storage, configuration, url);
  if (text) process.stderr.write(`\n${text}\n\n`);
}

function isRole(value: string): value is Role {
  return value === 'all' || value === 'api' || value === 'worker';
}
