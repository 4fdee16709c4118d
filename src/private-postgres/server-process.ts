import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from './error.ts';

/**
 * Whether the process `pid` is a PostgreSQL of this cluster, and not an unrelated process with the reused pid
 * of a dead server. A zombie does not count.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (pid <= 0) return false;
  return process.platform === 'linux' ? isServerOnLinux(pid, cluster) : isServerByCommand(pid, cluster);
}

async function isServerOnLinux(pid: number, cluster: string): Promise<boolean> {
  try {
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')).trim() !== 'postgres') return false;
    const wanted = await stat(cluster);
    // Any user can start a process with the name and arguments of a server.
    if ((await userOf(pid)) !== wanted.uid) return false;
    // By device and inode, because the folder may have another path here.
    const current = await stat(`/proc/${pid}/cwd`);
    return current.dev === wanted.dev && current.ino === wanted.ino;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH') return false;
    // In a container, root may read only the command line of another user's process, not its working
    // directory.
    if (code === 'EACCES' || code === 'EPERM') return isServerByCommandLine(pid, cluster);
    throw error;
  }
}

/** From the status file: the folder in /proc belongs to root if the kernel protects the process. */
async function userOf(pid: number): Promise<number> {
  return Number(/^Uid:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function isServerByCommandLine(pid: number, cluster: string): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').includes(cluster);
}

async function isServerByCommand(pid: number, cluster: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=,command=', '-p', String(pid)]);
    const isOwners = Number.parseInt(stdout, 10) === (await stat(cluster)).uid;
    return isOwners && stdout.includes('postgres') && stdout.includes(cluster);
  } catch (error) {
    // ps exits with status 1 if there is no such process; with other statuses, the result is unknown.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 1) return false;
    throw error;
  }
}
