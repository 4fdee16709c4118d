import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { ignore } from './error.ts';
import type { Home } from './home.ts';
import { type Owner, runsAsRoot } from './owner.ts';

/** The imported name in a program's symbol table, between zero bytes. */
const lookUpByUid = Buffer.from('\0getpwuid\0', 'latin1');
/** Returns any existing user; the name has the same length. */
const nextUser = Buffer.from('\0getpwent\0', 'latin1');

/** The binaries, or for a user without a name, copies that can create a cluster anyway. */
export async function binariesToMakeClusters(binaries: Binaries, { serverUser }: Home): Promise<Binaries> {
  return (await isNameless(serverUser)) ? ((await binariesForNamelessUser(binaries)) ?? binaries) : binaries;
}

/**
 * As root, only /etc/passwd itself is checked: a name from another source costs two copies, which work too.
 */
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
 * Containers often run as a uid without an entry in /etc/passwd (OpenShift assigns one to every project), and
 * so does the server of a Parapet that runs as root. A running server works, but initdb and single-user mode
 * fail if the lookup of their username fails, although neither uses the name here. This creates copies of
 * both that look up any user instead.
 *
 * Returns the binaries for creating a cluster, or undefined if the programs are not built as expected.
 */
async function binariesForNamelessUser(binaries: Binaries): Promise<Binaries | undefined> {
  const directory = join(binaries.directory, 'nameless');
  const unfinished = `${directory}.${process.pid}`;
  await mkdir(join(unfinished, 'bin'), { recursive: true });
  // The server's user needs access, whatever the umask.
  for (const folder of [unfinished, join(unfinished, 'bin')]) await chmod(folder, 0o755);
  for (const name of ['initdb', 'postgres']) {
    const program = await readFile(join(binaries.directory, 'bin', name));
    const at = program.indexOf(lookUpByUid);
    if (at === -1 || program.indexOf(lookUpByUid, at + 1) !== -1) return undefined;
    nextUser.copy(program, at);
    await writeFile(join(unfinished, 'bin', name), program);
    await chmod(join(unfinished, 'bin', name), 0o755);
  }
  // The programs find their other files relative to their own folder.
  for (const name of ['lib', 'share']) await symlink(join('..', name), join(unfinished, name));
  await rename(unfinished, directory).catch(async error => {
    await rm(unfinished, { recursive: true });
    ignore('ENOTEMPTY', 'EEXIST')(error);
  });
  return { ...binaries, directory };
}
