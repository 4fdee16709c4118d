import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf, PrivatePostgresError } from './error.ts';
import { canEnter, NOBODY, type Owner, runsAsRoot } from './owner.ts';

/** Where the cluster goes when the server's user cannot enter the data folder. */
const ELSEWHERE = '/var/lib/parapet';

/** The folder of everything that belongs to the private PostgreSQL, and who owns what in it. */
export interface Home {
  /** `<data>/postgres`, with every symbolic link resolved. */
  readonly directory: string;
  /** Runs the server and owns the cluster. */
  readonly serverUser: Owner;
  /** Owns the folder itself, the binaries and the password: who Parapet runs as, or the data folder's owner. */
  readonly keeper: Owner;
}

export type Log = (event: string, fields: object) => void;

/**
 * Finds or makes `<data>/postgres`. As root, where the server's user cannot enter the data folder, the real folder
 * is made below /var/lib/parapet and `<data>/postgres` becomes a link to it. Nothing that exists is opened wider.
 *
 * @throws PrivatePostgresError when the server's user cannot get in, or the folder belongs to another user
 */
export async function settleHome(dataDirectory: string, wanted: Owner | undefined, log: Log): Promise<Home> {
  await mkdir(dataDirectory, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
  const data = await realpath(resolve(dataDirectory));
  const entry = join(data, 'postgres');
  const keeper = await keeperOf(data);
  const existing = await lstat(entry).catch(() => null);
  const directory = existing === null ? null : await resolveExisting(entry);
  const serverUser = await serverUserFor(directory, wanted, keeper);
  if (directory !== null) {
    await refuseIfClosed(directory, serverUser);
    return { directory, serverUser, keeper };
  }
  if (!runsAsRoot() || (await canEnter(data, serverUser))) {
    await makeFolder(entry, serverUser.uid === keeper.uid ? 0o700 : 0o711, keeper);
    return { directory: entry, serverUser, keeper };
  }
  const made = await makeElsewhere(data, entry, serverUser, keeper);
  log('postgres_placed_elsewhere', {
    directory: made,
    because: `uid ${serverUser.uid} cannot enter ${data}`,
  });
  return { directory: made, serverUser, keeper };
}

async function keeperOf(data: string): Promise<Owner> {
  if (!runsAsRoot()) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const { uid, gid } = await stat(data);
  return { uid, gid };
}

async function resolveExisting(entry: string): Promise<string> {
  try {
    return await realpath(entry);
  } catch (cause) {
    throw new PrivatePostgresError(
      `${entry} is a link to a folder that is gone: put the database back there`,
      {
        cause,
      },
    );
  }
}

/** An existing cluster decides: PostgreSQL opens a cluster only as its owner. */
async function serverUserFor(
  directory: string | null,
  wanted: Owner | undefined,
  keeper: Owner,
): Promise<Owner> {
  const clusters = directory === null ? [] : await readdir(directory).catch(() => []);
  const cluster = clusters.find(name => /^cluster-\d+$/.test(name));
  const owner = cluster === undefined ? null : await stat(join(directory!, cluster));
  if (!runsAsRoot()) {
    if (owner === null || owner.uid === keeper.uid) return keeper;
    throw new PrivatePostgresError(
      `${directory} belongs to uid ${owner.uid}: run Parapet as the user who made it`,
    );
  }
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  if (wanted !== undefined && wanted.uid !== 0) return wanted;
  return keeper.uid === 0 ? NOBODY : keeper;
}

async function refuseIfClosed(directory: string, serverUser: Owner): Promise<void> {
  const owner = await stat(directory);
  if (!runsAsRoot() && owner.uid !== process.getuid?.()) {
    throw new PrivatePostgresError(
      `${directory} belongs to uid ${owner.uid}: run Parapet as the user who made it`,
    );
  }
  if (!runsAsRoot() || (await canEnter(directory, serverUser))) return;
  throw new PrivatePostgresError(
    `the database server runs as uid ${serverUser.uid}, which cannot enter ${directory}: choose another --data`,
  );
}

async function makeElsewhere(data: string, entry: string, serverUser: Owner, keeper: Owner): Promise<string> {
  const name = createHash('sha256').update(data).digest('hex').slice(0, 12);
  const directory = join(ELSEWHERE, name, 'postgres');
  try {
    await makeFolder(ELSEWHERE, 0o755, keeper);
    await makeFolder(join(ELSEWHERE, name), 0o711, keeper);
    await makeFolder(directory, 0o711, keeper);
    if (!(await canEnter(directory, serverUser)))
      throw new Error(`uid ${serverUser.uid} cannot enter it either`);
    // Last, so that the link never points to a folder that was not made.
    await symlink(directory, entry).catch(ignoreExisting);
    return await realpath(entry);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PrivatePostgresError(
      `the database server runs as uid ${serverUser.uid}, which cannot enter ${data}, and ${directory} cannot be used (${reason}): choose another --data`,
      { cause },
    );
  }
}

async function makeFolder(path: string, mode: number, keeper: Owner): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    return ignoreExisting(error);
  }
  // Not mkdir's mode, which the umask narrows.
  await chmod(path, mode);
  if (runsAsRoot()) await chown(path, keeper.uid, keeper.gid);
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}
