import { readdir, readFile } from 'node:fs/promises';
import { isServerOf } from './server-process.ts';

/**
 * Terminates processes that a killed server left behind: a running query does not notice that its server is
 * gone, and no new server can start while it runs. Only on Linux, where such processes can be identified;
 * elsewhere they must end by themselves.
 *
 * @returns the terminated pids
 */
export async function endLingering(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const ended: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !(await isServerOf(pid, cluster))) continue;
    if (!(await isOrphan(pid, cluster))) continue;
    try {
      // Safe at any time, because crash recovery handles unfinished work.
      process.kill(pid, 'SIGKILL');
      ended.push(pid);
    } catch {
      // It ended by itself.
    }
  }
  return ended;
}

/** A server's child has a title like `postgres: checkpointer`; its parent is the server while that runs. */
async function isOrphan(pid: number, cluster: string): Promise<boolean> {
  try {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
    return title.startsWith('postgres:') && !(await isServerOf(parent, cluster));
  } catch {
    return false;
  }
}
