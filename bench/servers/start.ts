import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

interface Running {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface Server extends Running {
  readonly port: number;
}

export interface StartOptions {
  /** The name of the log file in `directory`. */
  readonly name: string;
  readonly directory: string;
  readonly databaseUrl: string;
  readonly masterKey: string;
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

const product = [join(root, 'dist/main/parapet.js'), 'serve', '--port', '0'];

/** The product as it ships: `parapet serve` from the build, without a worker. */
export function startProduct(options: StartOptions, processes = 1): Promise<Server> {
  const program = [
    ...product,
    '--role',
    'api',
    '--processes',
    String(processes),
    '--data',
    options.directory,
  ];
  return startServer(program, options);
}

/** The product with a worker in one process; scans may reach this machine. */
export function startWhole(options: StartOptions): Promise<Server> {
  const env = { PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8' };
  const program = [...product, '--role', 'all', '--processes', '1', '--data', options.directory];
  return startServer(program, { ...options, env });
}

/** A worker as it ships; scans may reach this machine. */
export async function startWorker(options: StartOptions): Promise<Running> {
  const program = [...product, '--role', 'worker', '--data', options.directory];
  const env = { PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8' };
  return (await start(program, { ...options, env })).running;
}

/** One of the server variants in this folder. */
export function startVariant(file: string, options: StartOptions): Promise<Server> {
  return startServer(['--import', 'tsx', fileURLToPath(new URL(file, import.meta.url))], options);
}

async function startServer(program: readonly string[], options: StartOptions): Promise<Server> {
  const { running, ready } = await start(program, options);
  return { ...running, port: Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(ready)![1]) };
}

/** Logs go to a file, as in production: neither discarded nor read by the measuring process. */
async function start(
  program: readonly string[],
  options: StartOptions,
): Promise<{ running: Running; ready: string }> {
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
      ...options.env,
    },
  });
  closeSync(log);
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const deadline = Date.now() + 30_000;
  let ready: string | undefined;
  while (ready === undefined) {
    const lines = readFileSync(logFile, 'utf8').split('\n');
    ready = lines.slice(0, -1).find(line => line.includes('"msg":"ready"'));
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${options.name} did not start:\n${lines.slice(-20).join('\n')}`);
    }
    if (ready === undefined) await pause(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { running: { pid: child.pid!, stop }, ready };
}
