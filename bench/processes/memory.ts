import { readFileSync } from 'node:fs';

/** The peak memory of a process so far, in megabytes (VmHWM of proc_pid_status(5)). */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
