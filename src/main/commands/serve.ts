import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { Storage } from '../../resources/storage.ts';
import { type Configuration, ConfigurationError, readConfiguration } from '../configuration.ts';
import { setUpLink } from '../dashboard-links.ts';
import { LogDestination } from '../log-destination.ts';
import { createLogger } from '../logger.ts';
import { type Role, startService } from '../service.ts';
import { untilStopped } from '../until-stopped.ts';

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly data?: string;
  readonly role: string;
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('start the service: API, dashboard and scan worker')
    .option('--port <number>', 'port to listen on (PORT, default 8080)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)')
    .option('--role <role>', 'what this process runs: all, api or worker', 'all')
    .action(serve);
}

/** Milliseconds for a stop: longer than any request, job or query may take, in case the database hangs. */
const longestStopMs = 45_000;

/** Milliseconds for the last lines of the log. */
const longestLogMs = 2_000;

/** Heap growth between collections in percent: marking a larger heap delays all requests (docs/benchmarks.md). */
const heapGrowingPercent = 150;

async function serve(options: Options): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  if (!isRole(options.role))
    throw new ConfigurationError(`--role must be all, api or worker, not ${options.role}`);
  const configuration = readConfiguration(process.env, options);
  const log = new LogDestination(1);
  const logger = createLogger(configuration.logLevel, log);
  const finishLog = async () => {
    // A pending write to a reader that stopped reading would keep the process alive.
    if (!(await log.drained(longestLogMs))) process.kill(process.pid, 'SIGKILL');
  };
  const fail = () => void finishLog().then(() => process.exit(1));
  const stopped = untilStopped();
  const service = await startService(configuration, options.role, logger, cause => {
    logger.fatal({ reason: cause.message }, 'private PostgreSQL stopped unexpectedly');
    fail();
  });
  logger.info({ url: service.url, management: service.managementUrl, role: options.role }, 'ready');
  if (service.url) await printSetUpLink(service.storage, configuration, service.url);
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error('requests or jobs did not finish in time');
    fail();
  }, longestStopMs).unref();
  await service.stop();
  logger.info('stopped');
  await finishLog();
}

/** Never logged: the link grants ownership of the first organization. */
async function printSetUpLink(storage: Storage, configuration: Configuration, url: string): Promise<void> {
  const link = await setUpLink(storage, configuration, url);
  if (!link) return;
  process.stderr.write(
    `\nSet up Parapet with this link. It can be used once and expires at ${link.expiresAt}:\n\n    ${link.url}\n\n`,
  );
}

function isRole(value: string): value is Role {
  return value === 'all' || value === 'api' || value === 'worker';
}
