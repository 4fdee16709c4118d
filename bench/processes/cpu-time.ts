import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's clock ticks: USER_HZ is 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** CPU time of all threads. */
  readonly own: number;
  /** CPU time of children that have ended and been waited for. */
  readonly reaped: number;
}

/** CPU seconds that a process has used so far. */
export function cpuSeconds(pid: number): number {
  return readTimes(pid)?.own ?? 0;
}

/** CPU seconds of a process and all its descendants, including those that have ended. */
export function familyCpuSeconds(pid: number): number {
  const live = readdirSync('/proc').flatMap(entry => {
    const times = /^\d+$/.test(entry) ? readTimes(Number(entry)) : undefined;
    return times ? [{ pid: Number(entry), ...times }] : [];
  });
  const secondsOf = (one: number): number =>
    live
      .filter(({ pid, parent }) => pid === one || parent === one)
      .reduce((sum, { pid, own, reaped }) => sum + (pid === one ? own + reaped : secondsOf(pid)), 0);
  return secondsOf(pid);
}

export function parentOf(pid: number): number {
  const times = readTimes(pid);
  if (!times) throw new Error(`no process ${pid}`);
  return times.parent;
}

/** proc_pid_stat(5). The name, in parentheses, may contain spaces, so fields are counted after it. */
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
