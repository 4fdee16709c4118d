import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { canTest } from './can-test.ts';
import { ordinaryFolder, ordinaryUser } from './ordinary-user.ts';

const installed = '/usr/lib/postgresql';

/**
 * The folder of the oldest installed Debian PostgreSQL 15 or newer. Undefined if there is none, and for a user without
 * a name, for whom its initdb fails: tests that need it are then skipped.
 */
export const findOutsidePostgres = async (): Promise<string | undefined> =>
  canTest(
    await oldestFolder(),
    'no PostgreSQL of Debian (package postgresql) that this user can run; nothing is tested with it',
  );

async function oldestFolder(): Promise<string | undefined> {
  try {
    userInfo();
  } catch {
    return undefined;
  }
  const versions = (await readdir(installed).catch(() => [])).map(Number).filter(version => version >= 15);
  return versions.length > 0 ? join(installed, String(Math.min(...versions)), 'bin') : undefined;
}

export interface OutsidePostgres {
  /** A role that owns the database and may create roles, but is not a superuser, as with hosted PostgreSQL. */
  readonly url: string;
  close(): Promise<void>;
}

/** A server that Parapet does not manage, on a unix socket in its own folder. */
export async function startOutsidePostgres(binaries: string): Promise<OutsidePostgres> {
  const folder = await ordinaryFolder('parapet-outside-');
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'admin', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  await promisify(execFile)(join(binaries, 'initdb'), initdb, { ...ordinaryUser, cwd: folder });
  const parameters = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const server = spawn(join(binaries, 'postgres'), parameters, {
    ...ordinaryUser,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    server.stderr!.on('data', chunk => {
      if (String(chunk).includes('ready to accept connections')) resolve();
    });
    server.once('exit', status => reject(new Error(`PostgreSQL ended with ${status}`)));
  });
  const admin = new pg.Client({ host: folder, user: 'admin', database: 'postgres' });
  await admin.connect();
  await admin.query("create role tenant_owner login createrole password 'not used with trust'");
  await admin.query('create database hosted owner tenant_owner');
  await admin.end();
  return {
    url: `postgresql://tenant_owner:x@${encodeURIComponent(folder)}:5432/hosted`,
    close: async () => {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
