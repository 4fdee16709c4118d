import type { Command } from 'commander';
import { pino } from 'pino';
import { ConfigurationError, readConfiguration } from '../configuration.ts';
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
    .description('run the service: the signed API, ingest, and the scans')
    .option('--port <number>', 'port to listen on (PORT, default 8080)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)')
    .option('--role <role>', 'all, api or worker', 'all')
    .action(serve);
}

async function serve(options: Options): Promise<void> {
  if (!isRole(options.role))
    throw new ConfigurationError(`--role must be all, api or worker, not ${options.role}`);
  const configuration = readConfiguration(process.env, options);
  const logger = pino({ level: configuration.logLevel, base: { pid: process.pid } });
  const stopped = untilStopped();
  const service = await startService(configuration, options.role, logger, cause => {
    logger.fatal({ reason: cause.message }, 'the database has ended');
    process.exit(1);
  });
  logger.info({ url: service.url, role: options.role }, 'ready');
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  await service.stop();
  logger.info('stopped');
}

function isRole(value: string): value is Role {
  return value === 'all' || value === 'api' || value === 'worker';
}
