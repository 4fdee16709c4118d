import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    return undefined;
  }
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const msPerTick = 10;

/**
 * proc_pid_stat(5), fields 14 and 15, and proc_pid_status(5). The name in stat is in parentheses and may contain
 * anything.
 */
async function fromProc(pid: number): Promise<Usage> {
  const [stat, status, schedule] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    // Not in every kernel.
    readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => ''),
  ]);
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

/** ps(1): kilobytes, and the CPU time as `[[hours:]minutes:]seconds`. */
async function fromPs(pid: number): Promise<Usage> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
  const seconds = time.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  const residentBytes = Number(kilobytes) * 1024;
  return { cpuMs: seconds * 1000, wantedMs: seconds * 1000, residentBytes, ownBytes: residentBytes };
}
