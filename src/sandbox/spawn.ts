import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dataKilobytes, heapMegabytes, lifetimeCpuSeconds, openFiles } from './limits.ts';
import { withheld } from './withheld.ts';

/** What the kernel counts as data of Node before it does anything: 48 MB for Node 20 and 22, 562 MB for Node 24, nearly all reserved. */
const dataAtStart = ownDataKilobytes() ?? 48 * 1024;

/**
 * The limits of the kernel. No core file: it would hold a credential. No byte of any other file. A limit that is lower already
 * stays. Out of memory, the kernel kills a sandbox process before the service and its database (proc_pid_oom_score_adj(5)).
 */
const shellScript = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -f 0; ulimit -t ${lifetimeCpuSeconds}; ulimit -S -t ${lifetimeCpuSeconds - 1}; ulimit -d ${dataAtStart + dataKilobytes}; ulimit -n ${openFiles}; exec "$@"`;

/** Node's permission model: no file, no process, no thread, no native code. Its flag lost its prefix in Node 23.5. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/**
 * What targets have sent is soon done with: a heap that may not grow several times over between collections peaks a third
 * lower, at no cost in time that could be measured (docs/benchmarks.md).
 */
const heapFlags = [`--max-old-space-size=${heapMegabytes}`, '--heap-growing-percent=70'];

/**
 * A user id that nobody has, for a service that runs as root: the sandbox is nobody's to whom files or other processes
 * belong, the private PostgreSQL's neither.
 */
const userOfRoot = 64_702;

/** Read in the spawner, which has little of its own. Only Linux has the file. */
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
 * SIGUSR1 has Node open its debugger on a port of loopback, through which anyone on this machine runs code in this process: a
 * sandbox process of the same user could send the signal. With a handler of our own it does nothing.
 */
export function ignoreDebuggerSignal(): void {
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => {});
}

/**
 * Starts a process that runs the bundled program with nothing of ours in it: no environment but the trusted certificates
 * of the operator, no working folder, no permission to read or write a file. The program itself comes in by its standard
 * input; tasks and answers go over descriptor 3.
 */
export function spawnSandbox(program: Buffer): ChildProcess {
  const child = process.getuid?.() === 0 ? spawnAsNobodyElse() : spawnNode({});
  child.stdin?.on('error', () => {});
  child.stdin?.write(withheld);
  child.stdin?.end(program);
  return child;
}

/** In a container whose user namespace has no such user, root stays root within it. */
function spawnAsNobodyElse(): ChildProcess {
  try {
    return spawnNode({ uid: userOfRoot, gid: userOfRoot });
  } catch (error) {
    if (!['EINVAL', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  return spawnNode({});
}

function spawnNode(user: { uid?: number; gid?: number }): ChildProcess {
  // Modules of vm are there for `withheld` to take apart, and are gone before the program starts.
  const node = [
    process.execPath,
    permission,
    '--experimental-vm-modules',
    '--no-warnings',
    ...heapFlags,
    '-',
  ];
  const child = spawn('/bin/sh', ['-c', shellScript, 'sh', ...node], {
    cwd: '/',
    env: environment(),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    ...user,
  });
  child.on('error', () => {});
  return child;
}
