import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Names the log, in `directory`. */
  readonly name: string;
  readonly directory: string;
  readonly databaseUrl: string;
  readonly masterKey: string;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The product as it ships: `parapet serve` from the build, answering requests only. */
export function startProduct(options: StartOptions): Promise<Server> {
  const program = join(root, 'dist/main/parapet.js');
  return start([program, 'serve', '--role', 'api', '--port', '0', '--data', options.directory], options);
}

/** One of the servers of this folder, which have a part left out or are made otherwise. */
export function startVariant(file: string, options: StartOptions): Promise<Server> {
  return start(['--import', 'tsx', fileURLToPath(new URL(file, import.meta.url))], options);
}

/** Logs go to a file, as they would in production: not discarded, and not read by the process that measures. */
async function start(program: readonly string[], options: StartOptions): Promise<Server> {
  const logFile = join(options.directory, `${options.name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), ...program], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl,
      PARAPET_MASTER_KEY: options.masterKey,
      NODE_ENV: 'production',
    },
  });
  closeSync(log);
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const deadline = Date.now() + 30_000;
  let port: number | undefined;
  while (port === undefined) {
    const text = readFileSync(logFile, 'utf8');
    port = Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(text)?.[1]) || undefined;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${options.name} did not start:\n${text.slice(-2000)}`);
    }
    if (port === undefined) await pause(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { port, pid: child.pid!, stop };
}
