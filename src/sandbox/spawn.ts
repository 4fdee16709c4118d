import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { dataKilobytes, heapMegabytes, lifetimeCpuSeconds } from './limits.ts';
import { withheld } from './withheld.ts';

/** Built by `npm run build`; the same from `src` and from `dist`. */
export const builtProgram = fileURLToPath(new URL('../../dist/sandbox.cjs', import.meta.url));

/**
 * The limits of the kernel. No core file: it would hold a credential. Where one is lower already, it stays. When the machine
 * has no memory left, the kernel takes a sandbox process before the service and its database (proc_pid_oom_score_adj(5)).
 */
const shellScript = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -t ${lifetimeCpuSeconds}; ulimit -d ${dataKilobytes}; exec "$@"`;

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

/**
 * Starts a process that runs the bundled program with nothing of ours in it: no environment but the trusted certificates
 * of the operator, no working folder, no permission to read or write a file. The program itself comes in by its standard
 * input; tasks and answers go over descriptor 3.
 */
export function spawnSandbox(program: string): ChildProcess {
  refuseDebugger();
  const child = process.getuid?.() === 0 ? spawnAsNobodyElse() : spawnNode({});
  const source = createReadStream(program);
  source.on('error', () => child.kill('SIGKILL'));
  child.stdin?.on('error', () => {});
  if (child.stdin) {
    child.stdin.write(withheld);
    source.pipe(child.stdin);
  }
  if (child.pid !== undefined) yieldTo(child.pid);
  return child;
}

/** In a container whose user namespace has no such user, root stays root within it. */
function spawnAsNobodyElse(): ChildProcess {
  try {
    const child = spawnNode({ uid: userOfRoot, gid: userOfRoot });
    if (child.pid !== undefined) return child;
  } catch (error) {
    if (!['EINVAL', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  return spawnNode({});
}

let debuggerRefused = false;

/**
 * SIGUSR1 has Node open its debugger on a port of loopback, through which anyone on this machine runs code in the service: a
 * sandbox process of the same user could send the signal. With a handler of our own it does nothing.
 */
function refuseDebugger(): void {
  if (debuggerRefused) return;
  debuggerRefused = true;
  process.on('SIGUSR1', () => {});
}

function spawnNode(user: { uid?: number; gid?: number }): ChildProcess {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const node = [process.execPath, permission, '--no-warnings', ...heapFlags, '-'];
  const child = spawn('/bin/sh', ['-c', shellScript, 'sh', ...node], {
    cwd: '/',
    env: NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    ...user,
  });
  child.on('error', () => {});
  return child;
}

/**
 * What a target makes it compute waits for what answers requests. Not at the very lowest priority: on a busy machine that is
 * half a percent of a core, and looks would end at their limits of time without a fault of the target's.
 */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}
