import { readdir, readFile } from 'node:fs/promises';
import { isServerOf } from './server-process.ts';

/**
 * Ends the processes that a killed server left behind: a query in full run does not notice that its server is gone,
 * and as long as it runs no new server can start. Only on Linux, where such processes can be told apart; elsewhere
 * they have to end by themselves.
 *
 * @returns the pids that were ended
 */
export async function endLingering(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const ended: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !(await isServerOf(pid, cluster))) continue;
    if (!(await isOrphan(pid, cluster))) continue;
    try {
      // Safe at any moment: what a killed server had not finished is what crash recovery is for.
      process.kill(pid, 'SIGKILL');
      ended.push(pid);
    } catch {
      // It ended by itself.
    }
  }
  return ended;
}

/** A server's child is titled `postgres: what it does`; its parent is the server as long as that one lives. */
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
