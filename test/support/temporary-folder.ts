import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gibibyte = 2 ** 30;
const memory = '/dev/shm';
const reaper = fileURLToPath(new URL('reaper.mjs', import.meta.url));

/** Set once the folder of a run exists, since each project of a run calls this setup. */
const isMade = 'PARAPET_TESTS_HAVE_FOLDER';

/**
 * Gives the run one folder for all temporary files, in memory if there is room: all tests took 749 s with their
 * databases on a disk and 679 s without. A reaper watches the run: however the run ends, the reaper removes the folder
 * and the processes that use it.
 */
export async function setup(): Promise<void> {
  if (process.env[isMade]) return;
  process.env[isMade] = 'true';
  const folder = await mkdtemp(join((await hasRoomInMemory()) ? memory : tmpdir(), 'parapet-'));
  // With the mode of a folder for temporary files: tests that run as root also have other users.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  const watching = spawn(process.execPath, [reaper, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(watching, 'spawn');
  // The reaper's end of the pipe closes with this process.
  watching.unref();
  (watching.stdin as Socket).unref();
}

/** Whether all data folders of a run fit into memory, and programs may be run from there. */
async function hasRoomInMemory(): Promise<boolean> {
  if (process.env.TMPDIR !== undefined) return false;
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map(line => line.split(' '));
    const options = mounts.find(([, place]) => place === memory)![3]!.split(',');
    const { bavail, bsize } = await statfs(memory);
    return !options.includes('noexec') && Math.min(bavail * bsize, freemem()) > 8 * gibibyte;
  } catch {
    return false;
  }
}
