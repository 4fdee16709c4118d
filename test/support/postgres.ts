import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPrivatePostgres } from '../../src/private-postgres/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ConnectionSettings;
    /** A data folder with a new installation. To be copied, since creating one takes seconds. */
    dataFolder: string;
  }
}

/** Databases are too short-lived to need a vacuum. Each worker has up to two services with 25 connections, or more nodes. */
const settings = `
autovacuum = off
synchronous_commit = off
max_connections = 400
`;

/**
 * One private PostgreSQL for the whole run; each test file creates its own databases in it. It does not have to survive
 * a crash of the machine.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'parapet-test-'));
  // As root the server runs as another user, who needs access to the folder.
  await chmod(directory, 0o711);
  const dataFolder = join(directory, 'unused');
  const unused = await openPrivatePostgres({ directory: dataFolder });
  await migrate(unused.connection);
  await unused.close();
  project.provide('dataFolder', dataFolder);
  const data = join(directory, 'data');
  await copyFolder(dataFolder, data);
  const clusters = await readdir(join(data, 'postgres'));
  const cluster = clusters.find(name => name.startsWith('cluster-'))!;
  await appendFile(join(data, 'postgres', cluster, 'postgresql.conf'), settings);
  const server = await openPrivatePostgres({ directory: data });
  project.provide('postgres', { ...server.connection });
  return async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  };
}

/** The fastest copy with owners, modes and links. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

export interface TestDatabase {
  readonly connection: ConnectionSettings;
  /** The same, as a `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A new, empty database on the server. */
export async function createDatabase(server: ConnectionSettings): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asOwner(server, client => client.query(`create database ${name}`));
  const connection = { ...server, database: name };
  return {
    connection,
    url: urlOf(connection),
    drop: () =>
      asOwner(server, async client => {
        await client.query(`drop database ${name} with (force)`);
        await client.query(`drop role if exists ${name}_app, ${name}_system`);
      }),
  };
}

/** By URL. A new connection costs the server more than most statements of tests. */
const ownerPools = new Map<string, pg.Pool>();

/** Runs work as the owner of everything, bypassing row-level security, to read what is really stored. */
export async function asOwner<T>(
  connection: ConnectionSettings,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await ownerPool(connection).connect();
  try {
    const result = await work(client);
    // Also named statements, which the client must therefore not have.
    await client.query('discard all');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function ownerPool(connection: ConnectionSettings): pg.Pool {
  const url = urlOf(connection);
  const existing = ownerPools.get(url);
  if (existing) return existing;
  const pool = testPool({ ...connection, max: 50, idleTimeoutMillis: 0, allowExitOnIdle: true });
  ownerPools.set(url, pool);
  return pool;
}

/**
 * A pool whose idle connections may end with the database or the server. Also those of a pool that has ended, whose sockets
 * close later.
 */
export const testPool = (settings: pg.PoolConfig): pg.Pool => new pg.Pool(settings).on('error', () => {});

/** As `asOwner`, with the triggers disabled that protect records: what an attacker with access to the server can do. */
export function pastTriggers<T>(
  connection: ConnectionSettings,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  return asOwner(connection, async client => {
    await client.query('set session_replication_role = replica');
    return work(client);
  });
}

export function urlOf({ host, port, user, password, database }: ConnectionSettings): string {
  const login = `${encodeURIComponent(user!)}:${encodeURIComponent(String(password))}`;
  if (host!.startsWith('/')) return `postgresql://${login}@${encodeURIComponent(host!)}:${port}/${database}`;
  return `postgresql://${login}@${host}:${port}/${database}`;
}
