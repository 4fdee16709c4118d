import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isSea } from 'node:sea';
import { dataKilobytes, heapMegabytes, lifetimeCpuSeconds, openFiles } from './limits.ts';
import { withheld } from './withheld.ts';

/**
 * What the kernel counts as data of Node at its start: 48 MB for Node 20 and 22, 562 MB for Node 24, nearly all
 * reserved.
 */
const dataAtStart = ownDataKilobytes() ?? 48 * 1024;

/**
 * Kernel limits. Core files are disabled because they would contain a credential, and no other file may be written.
 * Limits that are already lower stay. Out of memory, the kernel kills a sandbox process before the service and its
 * database (proc_pid_oom_score_adj(5)).
 */
const shellScript = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -f 0; ulimit -t ${lifetimeCpuSeconds}; ulimit -S -t ${lifetimeCpuSeconds - 1}; ulimit -d ${dataAtStart + dataKilobytes}; ulimit -n ${openFiles}; exec "$@"`;

/** Node's permission model: no files, processes, threads or native code. The flag lost its prefix in Node 23.5. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/**
 * Target data is short-lived. A heap that may not grow several times over between collections peaks a third lower,
 * without a measurable cost in time (docs/benchmarks.md).
 */
const heapFlags = [`--max-old-space-size=${heapMegabytes}`, '--heap-growing-percent=70'];

/** Modules of vm are enabled for `withheld` to disable, and are gone before the program starts. */
const nodeFlags = [permission, '--experimental-vm-modules', '--no-warnings'];

/** The argument with which a single executable runs the program on its standard input: see `run-given-program.ts`. */
export const givenProgram = 'run-given-program';

/**
 * An unused user id, for a service that runs as root: sandbox processes own no files, and share no user with other
 * processes, including the private PostgreSQL.
 */
const userOfRoot = 64_702;

/** Read in the spawner, which uses little memory itself. Only Linux has the file. */
function ownDataKilobytes(): number | undefined {
  try {
    return Number(/^VmData:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) || undefined;
  } catch {
    return undefined;
  }
}

/** The whole environment of the spawner and its sandbox processes: the operator's trusted certificates. */
export function environment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
}

/**
 * On SIGUSR1, Node opens its debugger on a loopback port, through which anyone on this machine can run code in this
 * process, and a sandbox process of the same user could send the signal. Installing a handler disables that.
 */
export function ignoreDebuggerSignal(): void {
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => {});
}

/**
 * Starts a process for the bundled program, isolated from the service: no environment but the operator's trusted
 * certificates, no working folder, no permission to read or write a file. The program itself arrives on standard input;
 * tasks and answers use descriptor 3.
 */
export function spawnSandbox(program: Buffer): ChildProcess {
  const child = process.getuid?.() === 0 ? spawnAsNobodyElse() : spawnNode({});
  child.stdin?.on('error', () => {});
  child.stdin?.write(withheld);
  child.stdin?.end(program);
  return child;
}

/** In a container whose user namespace does not have this user, root stays root within the namespace. */
function spawnAsNobodyElse(): ChildProcess {
  try {
    return spawnNode({ uid: userOfRoot, gid: userOfRoot });
  } catch (error) {
    if (!['EINVAL', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  return spawnNode({});
}

/** It takes no flags of Node, but reads them from the environment, as far as they are allowed there. */
function singleExecutable(): { node: string[]; env: NodeJS.ProcessEnv } {
  const allowed = [...nodeFlags, ...heapFlags].filter(flag =>
    process.allowedNodeEnvironmentFlags.has(flag.split('=')[0]!),
  );
  return { node: [givenProgram], env: { NODE_OPTIONS: allowed.join(' ') } };
}

function spawnNode(user: { uid?: number; gid?: number }): ChildProcess {
  const { node, env } = isSea() ? singleExecutable() : { node: [...nodeFlags, ...heapFlags, '-'], env: {} };
  const child = spawn('/bin/sh', ['-c', shellScript, 'sh', process.execPath, ...node], {
    cwd: '/',
    env: { ...environment(), ...env },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    ...user,
  });
  child.on('error', () => {});
  return child;
}
