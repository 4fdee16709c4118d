import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { codeOf } from './error.ts';
import type { Home } from './home.ts';
import { type Owner, runsAsRoot } from './owner.ts';

/** The import as it stands in a program's table of symbols: nothing else is between two zero bytes. */
const lookUpByUid = Buffer.from('\0getpwuid\0', 'latin1');
/** Gives any user that there is, and has a name of the same length. */
const nextUser = Buffer.from('\0getpwent\0', 'latin1');

/** The binaries, or for a user without a name the copies that make a cluster all the same. */
export async function binariesToMakeClusters(binaries: Binaries, { serverUser }: Home): Promise<Binaries> {
  return (await isNameless(serverUser)) ? ((await binariesForNamelessUser(binaries)) ?? binaries) : binaries;
}

/** As root, a name that is not in the file itself goes unnoticed, and costs two copies that work as well. */
async function isNameless({ uid }: Owner): Promise<boolean> {
  if (runsAsRoot()) {
    const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
    return !users.split('\n').some(line => line.split(':')[2] === String(uid));
  }
  try {
    userInfo();
    return false;
  } catch {
    return true;
  }
}

/**
 * Containers often run as a uid that /etc/passwd does not know (OpenShift gives every project one), and so does the
 * server of a Parapet that runs as root. A running server
 * does not mind, but initdb and single-user mode end when the look-up of their user's name fails, although neither
 * makes use of the name here. This makes copies of both that ask for any user instead of their own.
 *
 * Returns the binaries to make a cluster with, or undefined where the programs are not built as expected.
 */
async function binariesForNamelessUser(binaries: Binaries): Promise<Binaries | undefined> {
  const directory = join(binaries.directory, 'nameless');
  const unfinished = `${directory}.${process.pid}`;
  await mkdir(join(unfinished, 'bin'), { recursive: true });
  // The server's user has to get in, whatever the umask.
  for (const folder of [unfinished, join(unfinished, 'bin')]) await chmod(folder, 0o755);
  for (const name of ['initdb', 'postgres']) {
    const program = await readFile(join(binaries.directory, 'bin', name));
    const at = program.indexOf(lookUpByUid);
    if (at === -1 || program.indexOf(lookUpByUid, at + 1) !== -1) return undefined;
    nextUser.copy(program, at);
    await writeFile(join(unfinished, 'bin', name), program);
    await chmod(join(unfinished, 'bin', name), 0o755);
  }
  // The programs find what belongs to them beside their own folder.
  for (const name of ['lib', 'share']) await symlink(join('..', name), join(unfinished, name));
  await rename(unfinished, directory).catch(async error => {
    await rm(unfinished, { recursive: true });
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
  return { ...binaries, directory };
}
