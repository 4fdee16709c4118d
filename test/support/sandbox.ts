import { readdirSync, readFileSync } from 'node:fs';
import { Sandbox } from '../../src/sandbox/sandbox.ts';

type SandboxOptions = ConstructorParameters<typeof Sandbox>[0];

/** The real sandbox, which may reach this machine. Its log entries go to `log`. */
export function loopbackSandbox(
  options: Partial<SandboxOptions> = {},
): Sandbox & AsyncDisposable & { readonly log: [event: string, fields: object][] } {
  const log: [string, object][] = [];
  const sandbox = new Sandbox({
    settings: { allowlist: ['127.0.0.0/8'], userAgent: 'Parapet/test' },
    processes: 2,
    log: (...entry) => void log.push(entry),
    ...options,
  });
  return Object.assign(sandbox, { log, [Symbol.asyncDispose]: () => sandbox.close() });
}

/** The pids of a service's sandbox processes. */
export function sandboxesOf(service: number): number[] {
  return spawnersOf(service).flatMap(childrenOf);
}

/** The pids of a service's spawners. */
export function spawnersOf(service: number): number[] {
  return childrenOf(service).filter(child => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('spawner-program');
    } catch {
      return false;
    }
  });
}

/**
 * The pids of a process's children. proc_pid_stat(5): the parent is the second field after the name, which is in
 * parentheses and may contain anything.
 */
export function childrenOf(pid: number): number[] {
  const isChild = (entry: string) => {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry) && isChild(entry))
    .map(Number);
}
