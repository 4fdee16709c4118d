import type { Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentSettings } from './settings.ts';
import { ChangeableByOthers, requireTrusted } from './trusted-path.ts';

/** A file or folder that other users can read or change. */
class OpenToOthers extends Error {
  override readonly name = 'OpenToOthers';
}

/** A folder for the spool that this user cannot use. */
export class SpoolUnusable extends Error {
  override readonly name = 'SpoolUnusable';
}

/** A spool that does not exist, or is hidden: using it fails with its own message. */
const ofRoot = { uid: 0, mode: 0 };
const othersWrite = 0o022;
const everyoneReadsOrWrites = 0o006;

/**
 * Refuses a spool that other users own, can write or can replace, or that this one cannot write, and a key that all users can read or
 * others can change: links that a user can put into the spool choose the files that are written, and the key chooses the organization
 * that receives the events. A key may be readable for a group, as systemd's credentials are. A spool that does not exist can be made.
 *
 * @throws OpenToOthers, SpoolUnusable
 */
export async function requirePrivateFiles({
  spool: { folder },
  service: { keyFile },
}: Pick<AgentSettings, 'spool' | 'service'>): Promise<void> {
  const existing = await requireUsable(folder, folder);
  const { uid, mode } = (await statOf(folder)) ?? ofRoot;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && uid !== 0)
    throw new OpenToOthers(
      `${folder} belongs to another user: run this as the user that owns it, or set another spool folder`,
    );
  if (mode & othersWrite)
    throw new OpenToOthers(`other users can write in ${folder}: run \`chmod go-w ${folder}\``);
  // A volume with Kubernetes' `fsGroup` is writable for that group of the agent.
  const groups = own === 0 ? [] : process.getgroups?.();
  // A spool that does not exist is in the nearest folder that does.
  requireClosed(existing === folder ? folder : `${existing}/.`, folder, groups);
  const key = keyFile === undefined ? undefined : await statOf(keyFile);
  // Using one that is missing, hidden or no file fails with its own message.
  if (keyFile === undefined || !key?.isFile()) return;
  if (key.mode & everyoneReadsOrWrites)
    throw new OpenToOthers(
      `all users can read or change the key in ${keyFile}: run \`chmod 600 ${keyFile}\``,
    );
  requireClosed(keyFile);
}

function requireClosed(path: string, name = path, groups?: readonly number[]): void {
  try {
    requireTrusted(path, groups);
  } catch (error) {
    // Using a key that is missing or hidden fails with its own message.
    if (error instanceof ChangeableByOthers) throw new OpenToOthers(`${name} ${error.message}`);
  }
}

/** Whether the folder can be written, or made in the nearest one that exists, which is returned. */
async function requireUsable(folder: string, place: string): Promise<string> {
  try {
    await access(place, constants.W_OK | constants.X_OK);
    return place;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(place) !== place) return requireUsable(folder, dirname(place));
    throw new SpoolUnusable(
      place === folder
        ? `this user cannot write in ${folder}, the folder of the spool (${code})`
        : `this user cannot make ${folder}, the folder of the spool, in ${place} (${code})`,
    );
  }
}

/** Undefined for what is missing or hidden. */
async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
