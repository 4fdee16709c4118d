import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readdir, readFile, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { AttachedProcess } from '../../test/support/private-postgres/attached-process.ts';
import {
  DataFolders,
  isAlive,
  isRoot,
  NAMELESS,
  ORDINARY,
  othersCanRun,
  serverPid,
  untilGone,
} from '../../test/support/private-postgres/data-folders.ts';
import { openPrivatePostgres, type PrivatePostgres } from './open.ts';
import { PARAPET } from './owner.ts';

const folders = new DataFolders();
const canBeOthers = await othersCanRun();
const unrelated: ChildProcess[] = [];
let data: string;
let events: string[] = [];

beforeAll(async () => {
  data = await folders.made();
});
afterEach(() => {
  for (const child of unrelated.splice(0)) child.kill('SIGKILL');
  events = [];
});
afterAll(() => folders.remove());

const open = () => openPrivatePostgres({ directory: data, log: event => events.push(event) });

test('after SIGKILL of Parapet the orphaned server is adopted, with every acknowledged row', async () => {
  const killed = await inserting();
  const pid = await serverPid(data);
  await killed.kill();
  const postgres = await open();
  expect(await serverPid(data)).toBe(pid);
  expect(events).not.toContain('postgres.started');
  await expectAcknowledged(postgres.connection, killed.lastAcknowledged());
  await poll(
    'the server has noticed that the killed process is gone',
    async () => (await leases(postgres)) === 1,
  );
  await postgres.close();
  await untilGone(pid);
});

test('after SIGKILL of PostgreSQL the next open recovers every acknowledged row', async () => {
  const attached = await inserting();
  process.kill(await serverPid(data), 'SIGKILL');
  await attached.reported('lost');
  const postgres = await open();
  expect(events).toContain('postgres.started');
  await expectAcknowledged(postgres.connection, attached.lastAcknowledged());
  await postgres.close();
  // It lost its server, and another one started and stopped since, so its close has nothing to stop.
  await attached.close();
});

test('a server is restarted if another process removed its lock file as stale', async () => {
  const file = join(data, 'postgres/cluster-18/postmaster.pid');
  const opening = open();
  // Like a PostgreSQL that has read a dead server's file, and then removes the file that is there now.
  let overtaken = Number.NaN;
  while (Number.isNaN(overtaken)) overtaken = await serverPid(data).catch(() => Number.NaN);
  await unlink(file);
  const postgres = await opening;
  expect(await serverPid(data)).not.toBe(overtaken);
  await untilGone(overtaken);
  await postgres.close();
});

test('after SIGKILL of both at once the next open recovers every acknowledged row', async () => {
  const killed = await inserting();
  process.kill(await serverPid(data), 'SIGKILL');
  await killed.kill();
  const postgres = await open();
  await expectAcknowledged(postgres.connection, killed.lastAcknowledged());
  await postgres.close();
});

test('a pid file with the pid of an unrelated process is removed, and the process is not affected', async () => {
  const other = await leaveFileOfAnother();
  const postgres = await open();
  expect(events).toContain('postgres.stale_pid_file_removed');
  expect(await isAlive(other)).toBe(true);
  await postgres.close();
});

test.runIf(canBeOthers)(
  'a process of another user that resembles the dead server is not mistaken for it',
  async () => {
    const theirs = await folders.make(0o755, ORDINARY);
    const first = new AttachedProcess(theirs, ORDINARY);
    await first.reported('opened');
    await first.close();
    const program = join(dirname(theirs), 'postgres');
    await writeFile(program, '#!/bin/sh\necho started\nread line\n', { mode: 0o755 });
    const cluster = join(theirs, 'postgres/cluster-18');
    const alike = spawn(program, ['-D', cluster], { ...NAMELESS, stdio: 'pipe' });
    unrelated.push(alike);
    await once(alike.stdout, 'data');
    await writePidFile(cluster, alike.pid!);
    await chown(join(cluster, 'postmaster.pid'), ORDINARY.uid, ORDINARY.gid);
    const second = new AttachedProcess(theirs, ORDINARY);
    await second.reported('opened');
    expect(await isAlive(alike.pid!)).toBe(true);
    await second.close();
  },
);

test('if many processes find the file of a dead server at once, one removes it and starts the server', async () => {
  await leaveFileOfAnother();
  const all = await Promise.all(Array.from({ length: 8 }, open));
  expect(events.filter(event => event === 'postgres.stale_pid_file_removed')).toHaveLength(1);
  expect(events.filter(event => event === 'postgres.started')).toHaveLength(1);
  for (const postgres of all) await postgres.close();
});

test('a pid file that a crash left empty is removed', async () => {
  const path = join(data, 'postgres/cluster-18/postmaster.pid');
  await writeFile(path, '');
  await utimes(path, new Date(0), new Date(0));
  await (await open()).close();
  expect(events).toContain('postgres.stale_pid_file_removed');
});

test.runIf(process.platform === 'linux')(
  'a query that outlives its killed server is terminated',
  async () => {
    const attached = new AttachedProcess(data);
    const { connection } = await attached.reported('opened');
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const query = client.query('do $$ begin loop perform 1; end loop; end $$').catch(() => undefined);
    await poll('the query runs', async () =>
      (await readFile(`/proc/${rows[0].pid}/cmdline`, 'utf8')).includes(' DO'),
    );
    process.kill(await serverPid(data), 'SIGKILL');
    const postgres = await open();
    await query;
    expect(events).toContain('postgres.left_overs_ended');
    await postgres.close();
    await attached.close();
  },
);

test('old socket folders of killed servers are removed', async () => {
  const folder = await socketFolders();
  expect(folder.length).toBeGreaterThan(1);
  for (const name of folder) await utimes(join(data, 'postgres', name), new Date(0), new Date(0));
  const postgres = await open();
  expect(await socketFolders()).toHaveLength(1);
  await postgres.close();
  expect(await socketFolders()).toHaveLength(0);
});

/** Writes a `postmaster.pid` with the pid of an unrelated process, and returns it. */
async function leaveFileOfAnother(): Promise<number> {
  await (await open()).close();
  events = [];
  const other = spawn('sleep', ['600'], isRoot ? PARAPET : {});
  unrelated.push(other);
  await writePidFile(join(data, 'postgres/cluster-18'), other.pid!);
  return other.pid!;
}

async function writePidFile(cluster: string, pid: number): Promise<void> {
  const lines = [pid, cluster, 1_700_000_000, 5432, '/gone', '', '1 1', 'ready   '];
  await writeFile(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`);
}

/** A process that inserts rows, after the first acknowledgment. */
async function inserting(): Promise<AttachedProcess> {
  const attached = new AttachedProcess(data);
  await attached.reported('opened');
  attached.order('insert');
  await poll(
    'rows are acknowledged',
    () => attached.reports.filter(r => r.kind === 'acknowledged').length > 200,
  );
  return attached;
}

async function expectAcknowledged(connection: pg.ClientConfig, last: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as rows from acknowledged where number between 1 and $1',
    [last],
  );
  await client.end();
  expect(last).toBeGreaterThan(200);
  expect(rows[0].rows).toBe(last);
}

async function leases({ connection }: PrivatePostgres): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  const text = "select from pg_stat_activity where application_name = 'parapet lease'";
  const { rowCount } = await client.query(text);
  await client.end();
  return rowCount!;
}

async function socketFolders(): Promise<string[]> {
  return (await readdir(join(data, 'postgres'))).filter(name => name.startsWith('s-'));
}
