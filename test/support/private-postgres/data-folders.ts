import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { canTest } from '../can-test.ts';
import { poll } from '../poll.ts';
import { copyFolder } from '../postgres.ts';

export const isRoot = process.getuid?.() === 0;

/** Whether other users can run this checkout: not if it is in a folder that only root may enter. */
export async function othersCanRun(): Promise<boolean> {
  if (!isRoot) return false;
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) !== 0) continue;
    return canTest(
      false,
      `only root may enter ${folder}; what other users do with this checkout is not tested`,
    );
  }
  return true;
}

/** An unprivileged user, to run Parapet as a user other than root. PostgreSQL requires one that is in /etc/passwd. */
export const ORDINARY = { uid: 1, gid: 1 };

/** An unprivileged user that is not in /etc/passwd. */
export const NAMELESS = { uid: 65533, gid: 65533 };

/** Creates folders for tests. At the end, it checks that none of their servers is left, and removes them. */
export class DataFolders {
  private readonly roots: string[] = [];

  /** @returns a data folder that does not exist yet, in a folder with this mode and owner */
  async make(mode = 0o755, owner?: { uid: number; gid: number }): Promise<string> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'parapet-test-')));
    this.roots.push(root);
    await chmod(root, mode);
    if (owner !== undefined) await chown(root, owner.uid, owner.gid);
    return join(root, 'data');
  }

  /**
   * @param deeper path below the folder that `make` returns
   * @returns a data folder with a new installation
   */
  async made(deeper = ''): Promise<string> {
    const data = join(await this.make(), deeper);
    await mkdir(dirname(data), { recursive: true });
    await copyFolder(inject('dataFolder'), data);
    return data;
  }

  /** Fails if a PostgreSQL process still uses one of the folders, but removes them in any case. */
  async remove(): Promise<void> {
    const homes = await Promise.all(this.roots.map(homeElsewhere));
    const folders = [...this.roots, ...homes.filter(home => home !== null)];
    try {
      await poll(
        'all servers of the test are gone',
        async () => {
          for (const folder of folders) if ((await processesIn(folder)).length > 0) return false;
          return true;
        },
        10,
      );
    } finally {
      for (const folder of folders) {
        for (const pid of await processesIn(folder)) process.kill(pid, 'SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
      // Only succeeds if it is empty.
      for (const home of homes) if (home !== null) await rmdir(dirname(home)).catch(() => undefined);
    }
  }
}

/** The pid of the server of a data folder. */
export async function serverPid(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, 'postgres/cluster-18/postmaster.pid'), 'utf8'), 10);
}

/** The pids of processes whose working folder is `folder` or below; none except on Linux. */
export async function processesIn(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const directory = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (`${directory}/`.startsWith(`${folder}/`)) pids.push(Number(name));
  }
  return pids;
}

/** Whether the process `pid` runs. A process that has ended but was not waited for does not count. */
export async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (process.platform === 'linux') return status !== null && !/^State:\s*Z/m.test(status);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A stopped server has released its folder, but the kernel may still be removing the process. */
export const untilGone = (pid: number) => poll(`process ${pid} is gone`, async () => !(await isAlive(pid)));

async function homeElsewhere(root: string): Promise<string | null> {
  const entry = join(root, 'data/postgres');
  const found = await lstat(entry).catch(() => null);
  return found?.isSymbolicLink() ? dirname(await readlink(entry)) : null;
}
