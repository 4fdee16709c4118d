import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel counts in: USER_HZ is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Of all threads. */
  readonly own: number;
  /** Of children that have ended and been waited for. */
  readonly reaped: number;
}

/** CPU seconds that a process has used so far. */
export function cpuSeconds(pid: number): number {
  return readTimes(pid)?.own ?? 0;
}

/** CPU seconds of a process with its children: those that live and those that have ended. */
export function familyCpuSeconds(pid: number): number {
  let live = 0;
  for (const entry of readdirSync('/proc')) {
    const times = /^\d+$/.test(entry) ? readTimes(Number(entry)) : undefined;
    if (times?.parent === pid) live += times.own + times.reaped;
  }
  const family = readTimes(pid);
  return live + (family ? family.own + family.reaped : 0);
}

export function parentOf(pid: number): number {
  const times = readTimes(pid);
  if (!times) throw new Error(`no process ${pid}`);
  return times.parent;
}

/** proc_pid_stat(5). The name, in brackets, may hold spaces: what is counted begins after it. */
function readTimes(pid: number): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (field: number) => Number(fields[field - 3]) / ticksPerSecond;
  return { parent: Number(fields[1]), own: seconds(14) + seconds(15), reaped: seconds(16) + seconds(17) };
}
