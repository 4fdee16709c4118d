import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { stringify } from 'yaml';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { canTest } from './can-test.ts';
import { ordinaryFolder, ordinaryUser } from './ordinary-user.ts';
import { findOutsidePostgres } from './outside-postgres.ts';
import { poll } from './poll.ts';
import { blockOf } from './postgresql-page.ts';
import { untilGone } from './private-postgres/data-folders.ts';
import { freePort, reachable } from './website.ts';

const host = '127.0.0.1';
const programs = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' };
const passwords = { admin: 'of-the-admin', replicator: 'of-the-replicator', tenant_owner: 'of-the-owner' };

/** The folder of PostgreSQL's programs; warns if a part is missing, since the tests are then skipped. */
export async function findPatroni(): Promise<string | undefined> {
  const postgres = await findOutsidePostgres();
  const missing = Object.values(programs).filter(path => !existsSync(path));
  return canTest(
    missing.length === 0,
    `${missing.join(', ')} not installed; no primary of a cluster is killed`,
  )
    ? postgres
    : undefined;
}

/** A child with its output in a file, since its own children may outlive it. */
async function run(folder: string, name: keyof typeof programs, parameters: readonly string[], of = name) {
  const log: FileHandle = await open(join(folder, `${of}.log`), 'a');
  const child = spawn(programs[name], parameters, {
    ...ordinaryUser,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: folder } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn');
  await log.close();
  return child;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 0);
  const parents = pids.map(async pid => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The state and the parent are behind the name, which may contain spaces.
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
  });
  const found = await Promise.all(parents);
  return pids.filter((_, index) => found[index] === parent);
}

/** PostgreSQL with the Patroni that starts it. */
class Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #folder: string;
  #patroni: ChildProcess | undefined;

  constructor(folder: string, name: string, port: number, restPort: number) {
    this.#folder = folder;
    this.name = name;
    this.port = port;
    this.restPort = restPort;
  }

  async configure(postgres: string, etcdPort: number, dcs: string): Promise<void> {
    const rest = `${host}:${this.restPort}`;
    const place = `${host}:${this.port}`;
    const login = (username: 'admin' | 'replicator') => ({ username, password: passwords[username] });
    const own = stringify({
      scope: 'parapet',
      name: this.name,
      restapi: { listen: rest, connect_address: rest },
      // Before 3.0.3, with the v3 protocol, a primary that hung takes the leader's lock back from the one that replaced it.
      etcd: { hosts: [`${host}:${etcdPort}`] },
      postgresql: {
        listen: place,
        connect_address: place,
        bin_dir: postgres,
        data_dir: this.#data,
        pgpass: join(this.#folder, `${this.name}.pgpass`),
        authentication: { superuser: login('admin'), replication: login('replicator') },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        parameters: { unix_socket_directories: this.#folder, shared_buffers: '16MB' },
      },
      watchdog: { mode: 'off' },
    });
    const initdb = '  initdb: [{ encoding: UTF8 }, { locale: C }, data-checksums]\n';
    await writeFile(join(this.#folder, `${this.name}.yml`), `${dcs}${initdb}${own}`);
  }

  async start(): Promise<void> {
    const parameters = [join(this.#folder, `${this.name}.yml`)];
    this.#patroni = await run(this.#folder, 'patroni', parameters, this.name as 'patroni');
  }

  /** Kills PostgreSQL, which Patroni notices, and waits until its children have ended with it. */
  async killPostgres(): Promise<void> {
    const pid = await this.#postmaster();
    if (!pid) return;
    const children = await childrenOf(pid);
    signalIfAlive(pid, 'SIGKILL');
    // Until then, they answer those who are connected.
    await Promise.all(children.map(untilGone));
  }

  /** Kills Patroni and PostgreSQL, as the end of their machine would. */
  async killAll(): Promise<void> {
    await Promise.all([end(this.#patroni), this.killPostgres()]);
  }

  /** Stops all of its processes, as when its machine hangs, or continues them. */
  async signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const postmaster = await this.#postmaster();
    const pids = [this.#patroni?.pid, postmaster, ...(postmaster ? await childrenOf(postmaster) : [])];
    for (const pid of pids) if (pid) signalIfAlive(pid, signal);
  }

  /** What Patroni knows of the cluster; undefined while it does not answer. */
  async cluster(): Promise<readonly ClusterMember[] | undefined> {
    try {
      const answer = await fetch(`http://${host}:${this.restPort}/cluster`);
      return ((await answer.json()) as { members: ClusterMember[] }).members;
    } catch {
      return undefined;
    }
  }

  async isPrimary(): Promise<boolean> {
    return fetch(`http://${host}:${this.restPort}/primary`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  get #data(): string {
    return join(this.#folder, this.name);
  }

  async #postmaster(): Promise<number | undefined> {
    const text = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => '');
    return Number.parseInt(text, 10) || undefined;
  }
}

interface ClusterMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline: number;
}

/** Three members, of which one follows the primary synchronously, their etcd, and HAProxy in front of them. */
export class PatroniCluster {
  readonly members: readonly Member[];
  /** The superuser's connection to the primary. */
  readonly admin: ConnectionSettings & { readonly database: string };
  /** The URL of the primary with the role that owns the database. */
  readonly url: string;
  readonly #folder: string;
  readonly #others: ChildProcess[];

  private constructor(folder: string, members: readonly Member[], others: ChildProcess[], port: number) {
    this.#folder = folder;
    this.members = members;
    this.#others = others;
    this.admin = { host, port, user: 'admin', password: passwords.admin, database: 'hosted' };
    this.url = `postgresql://tenant_owner:${passwords.tenant_owner}@${host}:${port}/hosted`;
  }

  /**
   * With the settings of docs/postgresql.md.
   *
   * @param postgres as `findPatroni` returns it
   */
  static async start(postgres: string): Promise<PatroniCluster> {
    const folder = await ordinaryFolder('patroni-');
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
    const members: Member[] = [];
    for (const name of ['postgres-1', 'postgres-2', 'postgres-3'])
      members.push(new Member(folder, name, await freePort(), await freePort()));
    const others: ChildProcess[] = [];
    const cluster = new PatroniCluster(folder, members, others, port);
    try {
      others.push(await run(folder, 'etcd', etcdParameters(folder, etcdPort, peerPort)));
      await reachable(etcdPort);
      const dcs = await blockOf('yaml');
      for (const member of members) {
        await member.configure(postgres, etcdPort, dcs);
        await member.start();
      }
      await writeFile(join(folder, 'haproxy.cfg'), await haproxyConfiguration(members, port));
      others.push(await run(folder, 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]));
      await cluster.complete();
      await cluster.query(
        `create role tenant_owner login createrole password '${passwords.tenant_owner}'`,
        'postgres',
      );
      await cluster.query('create database hosted owner tenant_owner', 'postgres');
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** Runs a statement as a superuser on the primary. */
  async query(text: string, database = 'hosted', values: unknown[] = []): Promise<pg.QueryResult> {
    const client = new pg.Client({ ...this.admin, database });
    await client.connect();
    try {
      return await client.query(text, values);
    } finally {
      await client.end();
    }
  }

  async primary(): Promise<Member> {
    return poll('a primary', async () => {
      for (const member of this.members) if (await member.isPrimary()) return member;
      return undefined;
    });
  }

  async synchronousStandby(): Promise<Member> {
    const known = await (await this.primary()).cluster();
    const found = known?.find(({ role }) => role === 'sync_standby');
    return this.members.find(({ name }) => name === found?.name)!;
  }

  /** Waits until all members follow the primary, one of them synchronously. Fails with the last lines of all logs. */
  async complete(): Promise<void> {
    let members: readonly ClusterMember[] = [];
    const isComplete = async () => {
      members = (await (await this.primary()).cluster()) ?? [];
      const roles = members.map(({ role }) => role).sort();
      const timelines = new Set(members.map(({ timeline }) => timeline));
      if (roles.join() !== 'leader,replica,sync_standby' || timelines.size > 1) return false;
      if (members.some(({ state }) => !/running|streaming/.test(state))) return false;
      const { rows } = await this.query(
        `select count(*)::int as following, count(*) filter (where sync_state = 'sync')::int as sync
          from pg_stat_replication where state = 'streaming'`,
        'postgres',
      ).catch(() => ({ rows: [] }));
      return rows[0]?.following === 2 && rows[0].sync === 1;
    };
    try {
      await poll('three members, one of them a synchronous standby', isComplete);
    } catch (error) {
      throw new Error(`${(error as Error).message}; ${JSON.stringify(members)}\n${await this.#logs()}`);
    }
  }

  /** The last lines that each part logged. */
  async #logs(): Promise<string> {
    const names = ['etcd', 'haproxy', ...this.members.map(({ name }) => name)];
    const texts = names.map(async name => {
      const text = await readFile(join(this.#folder, `${name}.log`), 'utf8').catch(() => '');
      return `${name}:\n${text.split('\n').slice(-40).join('\n')}`;
    });
    return (await Promise.all(texts)).join('\n');
  }

  async close(): Promise<void> {
    for (const member of this.members) await member.signalAll('SIGCONT');
    await Promise.all([...this.members.map(member => member.killAll()), ...this.#others.map(end)]);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function etcdParameters(folder: string, port: number, peerPort: number): string[] {
  const [client, peer] = [`http://${host}:${port}`, `http://${host}:${peerPort}`];
  return Object.entries({
    name: 'etcd',
    'enable-v2': 'true',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  }).map(([option, value]) => `--${option}=${value}`);
}

/** The configuration of docs/postgresql.md with other addresses. */
async function haproxyConfiguration(members: readonly Member[], port: number): Promise<string> {
  const text = await blockOf('haproxy');
  return members
    .reduce(
      (changed, { name, port: own, restPort }) =>
        changed.replace(
          new RegExp(`server ${name} \\S+:5432 (.*) port 8008`),
          `server ${name} ${host}:${own} $1 port ${restPort}`,
        ),
      text,
    )
    .replace('127.0.0.1:5000', `${host}:${port}`);
}
