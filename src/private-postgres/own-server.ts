import { randomBytes } from 'node:crypto';
import { lstat, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import { isSocketDirectoryName, temporaryPrefix } from './socket-directory.ts';

/**
 * Where the socket folder of `postmaster.pid` is now, or null if its server belongs to another data folder. A
 * copy of a running data folder contains the original's file, so its path cannot be trusted: a socket folder
 * in this home has a live socket only if the server was started for this home, even if it was moved or
 * mounted elsewhere since.
 *
 * @param isOwn whether the server's process is known to work in this cluster
 */
export async function socketDirectoryHere(
  recorded: string,
  home: Home,
  isOwn: boolean,
): Promise<string | null> {
  const name = basename(recorded);
  const here = join(home.directory, name);
  if (isSocketDirectoryName(name) && (await lstat(here).catch(() => null))?.isDirectory()) return here;
  return isOwn || recorded.startsWith(await temporaryPrefix(home)) ? recorded : null;
}

/**
 * Verifies that a server works in this cluster: it must find a file that was just created there. Paths are
 * not sufficient, because a running server keeps its folder when that is moved and another takes its path.
 *
 * @param client signed in as the superuser
 * @throws PrivatePostgresError if it works elsewhere
 */
export async function assertWorksIn(cluster: string, client: pg.Client): Promise<void> {
  const name = `parapet-${randomBytes(8).toString('hex')}`;
  await writeFile(join(cluster, name), '', { flag: 'wx', mode: 0o600 }).catch(cause => {
    throw new PrivatePostgresError(`no file can be created in ${cluster} (${cause.message})`, { cause });
  });
  let found: boolean;
  try {
    const text = 'select (pg_stat_file($1, true)).isdir is not null as found';
    found = (await client.query<{ found: boolean }>(text, [name])).rows[0]!.found;
  } finally {
    await unlink(join(cluster, name));
  }
  if (found) return;
  throw new PrivatePostgresError(
    `the server that runs for ${join(cluster, '..')} works in another folder than ${cluster}, which was replaced: stop every Parapet that uses it, then start again`,
  );
}

/**
 * Refuses a cluster that shares its files with a copy made of hard links: each server would overwrite the other's data.
 *
 * @throws PrivatePostgresError
 */
export async function refuseHardLinks(cluster: string): Promise<void> {
  const { nlink } = await stat(join(cluster, 'PG_VERSION'));
  if (nlink === 1) return;
  throw new PrivatePostgresError(
    `the files of ${cluster} are hard links that another folder shares: make a full copy (cp -a) and start Parapet with that, or remove the other folder`,
  );
}
