import { chmod, chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOBODY, type Owner, runsAsRoot } from '../../src/private-postgres/owner.ts';

/** Runs servers that refuse to run as root, if the tests do; undefined for the user of the tests. */
export const otherThanRoot: Owner | undefined = runsAsRoot() ? NOBODY : undefined;

/** The same, as options of a process. */
export const ordinaryUser: Partial<Owner> = otherThanRoot ?? {};

/** Makes a file or folder that of the server. */
export async function giveToOrdinaryUser(path: string): Promise<void> {
  if (otherThanRoot) await chown(path, otherThanRoot.uid, otherThanRoot.gid);
}

/** A new folder for temporary files of that user, which other users may enter. */
export async function ordinaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await giveToOrdinaryUser(folder);
  await chmod(folder, 0o711);
  return folder;
}
