import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { AttachedProcess } from '../../test/support/private-postgres/attached-process.ts';
import {
  DataFolders,
  isAlive,
  serverPid,
  untilGone,
} from '../../test/support/private-postgres/data-folders.ts';
import { openPrivatePostgres } from './open.ts';

const folders = new DataFolders();
let data: string;

beforeAll(async () => {
  data = await folders.make();
});
afterAll(() => folders.remove());

test('a new data folder gets a running server that stops at close', async () => {
  const postgres = await openPrivatePostgres({ directory: data });
  const pid = await serverPid(data);
  expect(postgres.version).toMatch(/^18\./);
  expect(postgres.connection).toMatchObject({ port: 5432, user: 'parapet_owner', database: 'parapet' });
  expect(await settingsOf(postgres.connection)).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    jit: 'off',
    listen_addresses: '',
    max_connections: '100',
    server_encoding: 'UTF8',
    shared_buffers: '64MB',
    synchronous_commit: 'on',
    TimeZone: 'UTC',
    unix_socket_permissions: '0700',
  });
  await postgres.close();
  await postgres.close();
  await untilGone(pid);
  expect(await leftBehind()).toEqual(['bin', 'cluster-18', 'password', 'server.log']);
});

test('no other user can read the password', async () => {
  const { mode } = await stat(join(data, 'postgres/password'));
  expect(mode & 0o777).toBe(0o600);
  const postgres = await openPrivatePostgres({ directory: data });
  const { host, port } = postgres.connection;
  await expect(
    new pg.Client({ host, port, user: 'parapet_owner', database: 'parapet', password: 'wrong' }).connect(),
  ).rejects.toThrow(/password authentication failed/);
  await postgres.close();
});

test('rows persist after a reopen', async () => {
  const first = await openPrivatePostgres({ directory: data });
  await query(first.connection, 'create table kept (word text)');
  await query(first.connection, "insert into kept values ('kept')");
  await first.close();
  const second = await openPrivatePostgres({ directory: data });
  expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'kept' }]);
  await second.close();
});

test('processes share one server, and the last one to close it stops it', async () => {
  const here = await openPrivatePostgres({ directory: data });
  const there = new AttachedProcess(data);
  expect((await there.reported('opened')).connection).toEqual(here.connection);
  const pid = await serverPid(data);
  await here.close();
  expect(await isAlive(pid)).toBe(true);
  await there.close();
  await untilGone(pid);
});

test('opening while the server is stopping starts a new one', async () => {
  let previous = await openPrivatePostgres({ directory: data });
  for (let round = 0; round < 10; round++) {
    const closing = previous.close();
    const next = await openPrivatePostgres({ directory: data });
    await closing;
    expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    previous = next;
  }
  await previous.close();
});

test.runIf(process.platform === 'linux')(
  'a signal to the process group of the starter does not stop the server',
  async () => {
    const postgres = await openPrivatePostgres({ directory: data });
    const status = await readFile(`/proc/${await serverPid(data)}/stat`, 'utf8');
    const [, , processGroup] = status
      .slice(status.lastIndexOf(')') + 1)
      .trim()
      .split(' ');
    expect(Number(processGroup)).toBe(await serverPid(data));
    await postgres.close();
  },
);

test('a server stopped by another process is reported once, and the next open starts a new one', async () => {
  const reasons: string[] = [];
  const postgres = await openPrivatePostgres({
    directory: data,
    onLost: cause => reasons.push(cause.message),
  });
  process.kill(await serverPid(data), 'SIGINT');
  await poll('the loss is reported', () => reasons.length > 0);
  await postgres.close();
  const next = await openPrivatePostgres({ directory: data });
  await next.close();
  expect(reasons).toHaveLength(1);
});

async function leftBehind(): Promise<string[]> {
  const names = await readdir(join(data, 'postgres'));
  return names.map(name => name.replace(/^bin-.*/, 'bin')).sort();
}

async function settingsOf(connection: pg.ClientConfig): Promise<Record<string, string>> {
  const names = `'data_checksums', 'fsync', 'jit', 'listen_addresses', 'max_connections', 'server_encoding',
    'shared_buffers', 'synchronous_commit', 'TimeZone', 'unix_socket_permissions'`;
  const rows = await query(
    connection,
    `select name, current_setting(name) as value from pg_settings where name in (${names})`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
