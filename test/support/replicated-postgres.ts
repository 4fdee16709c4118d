import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ordinaryFolder, ordinaryUser } from './ordinary-user.ts';
import { poll } from './poll.ts';
import { freePort } from './website.ts';

const host = '127.0.0.1';

/** One of two servers, of which one follows the other. */
class ReplicatedServer {
  readonly port: number;
  /** The folder of its unix socket. */
  readonly socketFolder: string;
  readonly #programs: string;
  readonly #data: string;
  #child: ChildProcess | undefined;

  constructor(programs: string, folder: string, name: string, port: number) {
    this.#programs = programs;
    this.socketFolder = folder;
    this.#data = join(folder, name);
    this.port = port;
  }

  /** Runs a statement as a superuser. */
  async query(text: string, database = 'postgres'): Promise<pg.QueryResult> {
    const client = new pg.Client({ host, port: this.port, user: 'admin', database });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  async create(): Promise<void> {
    const encoding = ['-E', 'UTF8', '--locale=C'];
    await this.#run('initdb', ['-D', this.#data, '-U', 'admin', '--auth=trust', '--no-sync', ...encoding]);
  }

  /** Makes it a standby of the other one. */
  async copy({ port }: ReplicatedServer): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    const from = ['-h', host, '-p', String(port), '-U', 'admin'];
    await this.#run('pg_basebackup', [...from, '-D', this.#data, '-R', '-c', 'fast', '--no-sync']);
  }

  async start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: host,
      unix_socket_directories: this.socketFolder,
      shared_buffers: '16MB',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#programs, 'postgres'), ['-D', this.#data, ...options], {
      ...ordinaryUser,
      cwd: this.#data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let log = '';
    child.stderr.on('data', chunk => {
      log += chunk;
    });
    await poll('PostgreSQL to accept connections', async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${log}`);
      const status = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => '');
      const [pid, , , , , , , state] = status.split('\n');
      return pid === String(child.pid) && state?.startsWith('ready');
    });
  }

  /** SIGINT sends all changes to the standby first. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  #run(name: string, parameters: readonly string[]) {
    const options = { ...ordinaryUser, cwd: this.socketFolder };
    return promisify(execFile)(join(this.#programs, name), parameters, options);
  }
}

export interface ReplicatedPostgres {
  readonly primary: ReplicatedServer;
  readonly standby: ReplicatedServer;
  /** Adds another standby of the primary. */
  addStandby(): Promise<ReplicatedServer>;
  /** The URL of the database on these servers, in this order, with a role that owns it. */
  url(...servers: readonly { readonly port: number }[]): string;
  close(): Promise<void>;
}

/**
 * A primary and a standby that confirms each commit, on loopback TCP.
 *
 * @param programs as `findReplicatingPostgres` returns them
 */
export async function startReplicatedPostgres(programs: string): Promise<ReplicatedPostgres> {
  const folder = await ordinaryFolder('replicated-');
  const primary = new ReplicatedServer(programs, folder, 'a', await freePort());
  const standby = new ReplicatedServer(programs, folder, 'b', await freePort());
  const others: ReplicatedServer[] = [];
  const addStandby = async () => {
    const another = new ReplicatedServer(programs, folder, `other-${others.length}`, await freePort());
    others.push(another);
    await another.copy(primary);
    await another.start();
    return another;
  };
  const close = async () => {
    await Promise.all([primary, standby, ...others].map(server => server.stop('SIGKILL')));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await primary.create();
    await primary.start();
    await primary.query("create role tenant_owner login createrole password 'not used with trust'");
    await primary.query('create database hosted owner tenant_owner');
    await standby.copy(primary);
    await standby.start();
    await confirmCommits(primary);
  } catch (error) {
    await close();
    throw error;
  }
  const url = (...servers: readonly { readonly port: number }[]) =>
    `postgresql://tenant_owner:a-secret@${servers.map(({ port }) => `${host}:${port}`).join(',')}/hosted`;
  return { primary, standby, addStandby, url, close };
}

async function confirmCommits(primary: ReplicatedServer): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`);
  await primary.query('select pg_reload_conf()');
  await poll('the standby confirms commits', async () => {
    const { rowCount } = await primary.query(`select from pg_stat_replication where sync_state = 'sync'`);
    return rowCount === 1;
  });
}
