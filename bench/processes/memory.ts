import { readFileSync } from 'node:fs';

/** The most memory that a process has had so far, in megabytes (VmHWM of proc_pid_status(5)). */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
