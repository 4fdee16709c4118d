import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Resources used by a process. */
export interface Usage {
  /** Of all its threads, since it started. */
  readonly cpuMs: number;
  /** CPU milliseconds that its main thread used or waited for, since it started. */
  readonly wantedMs: number;
  readonly residentBytes: number;
  /** Of these, what no other process shares: not the program of Node.js. */
  readonly ownBytes: number;
}

/** Undefined when the process has ended. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  try {
    return process.platform === 'linux' ? fromProc(pid) : await fromPs(pid);
  } catch {
    return undefined;
  }
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const msPerTick = 10;

/**
 * proc_pid_stat(5), fields 14 and 15, and proc_pid_status(5). The name in stat is in parentheses and may contain
 * anything. Read synchronously: these files are in memory, and handing a read to another thread takes longer than the read.
 */
function fromProc(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const schedule = scheduleOf(pid);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const bytesOf = (field: RegExp) => Number(field.exec(status)?.[1] ?? 0) * 1024;
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * msPerTick;
  const [used, waited] = schedule.split(' ').map(nanoseconds => Number(nanoseconds) / 1e6);
  return {
    cpuMs,
    wantedMs: waited === undefined ? cpuMs : used! + waited,
    residentBytes: bytesOf(/^VmRSS:\s+(\d+) kB$/m),
    ownBytes: bytesOf(/^RssAnon:\s+(\d+) kB$/m),
  };
}

/** proc_pid_schedstat: not in every kernel. */
function scheduleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/schedstat`, 'utf8');
  } catch {
    return '';
  }
}

/** ps(1): kilobytes, and the CPU time as `[[hours:]minutes:]seconds`. */
async function fromPs(pid: number): Promise<Usage> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
  const seconds = time.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  const residentBytes = Number(kilobytes) * 1024;
  return { cpuMs: seconds * 1000, wantedMs: seconds * 1000, residentBytes, ownBytes: residentBytes };
}
