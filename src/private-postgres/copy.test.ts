import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect, test } from 'vitest';
import { canTest } from '../../test/support/can-test.ts';
import { asOwner, copyFolder } from '../../test/support/postgres.ts';
import { AttachedProcess } from '../../test/support/private-postgres/attached-process.ts';
import {
  DataFolders,
  isAlive,
  isRoot,
  processesIn,
  serverPid,
  untilGone,
} from '../../test/support/private-postgres/data-folders.ts';
import { openPrivatePostgres, type PrivatePostgres } from './open.ts';

const folders = new DataFolders();
const attached: AttachedProcess[] = [];
const mounted: string[] = [];
afterEach(async () => {
  for (const process of attached.splice(0)) if (process.child.connected) await process.close();
  for (const path of mounted.splice(0)) spawnSync('umount', [path]);
});
afterAll(() => folders.remove());

const run = promisify(execFile);

/** Another process that uses the database of a data folder. */
async function opened(data: string): Promise<AttachedProcess> {
  const process = new AttachedProcess(data);
  attached.push(process);
  await process.reported('opened');
  return process;
}

/** Records in the database that it was opened at `place`. */
async function note(postgres: PrivatePostgres, place: string): Promise<void> {
  await asOwner(postgres.connection, async client => {
    await client.query('create table if not exists places (name text)');
    await client.query('insert into places values ($1)', [place]);
  });
}

async function noted(postgres: PrivatePostgres): Promise<string[]> {
  const { rows } = await asOwner(postgres.connection, client => client.query('select name from places'));
  return rows.map(({ name }) => name);
}

/** A data folder whose database another process uses, with the record `original`. */
async function runningFolder(deeper = ''): Promise<{ data: string; original: AttachedProcess }> {
  const data = await folders.made(deeper);
  const original = await opened(data);
  const postgres = await openPrivatePostgres({ directory: data });
  await note(postgres, 'original');
  await asOwner(postgres.connection, client => client.query('checkpoint'));
  await postgres.close();
  return { data, original };
}

/** Ways to copy a folder while its server runs. Each returns where both are afterward. */
const ways: Record<string, (data: string) => Promise<{ copy: string; data: string }>> = {
  'with its sockets': async data => {
    await copyFolder(data, `${data}-copy`);
    return { copy: `${data}-copy`, data };
  },
  'without its sockets': async data => {
    await run('rsync', ['-a', '--no-specials', `${data}/`, `${data}-copy/`]);
    return { copy: `${data}-copy`, data };
  },
  'with the original moved': async data => {
    await copyFolder(data, `${data}-copy`);
    await rename(`${data}-copy`, `${data}-moved`);
    return { copy: `${data}-moved`, data };
  },
  'opened through a link': async data => {
    await copyFolder(data, `${data}-copy`);
    await symlink(`${data}-copy`, `${data}-link`);
    return { copy: `${data}-link`, data };
  },
  'at the path of the original': async data => {
    await rename(data, `${data}-moved`);
    await copyFolder(`${data}-moved`, data);
    return { copy: data, data: `${data}-moved` };
  },
};

/** Too long for a socket, which is in the temporary folder then. */
const long = join('x'.repeat(60), 'y'.repeat(60), 'data');
const places = [
  ...Object.keys(ways).map(way => [way, 'a short', ''] as const),
  ['with its sockets', 'a long', long] as const,
  ['at the path of the original', 'a long', long] as const,
];

test.each(places)(
  'a copy of a running folder is a separate database: %s, at %s path',
  async (way, _length, deeper) => {
    const running = await runningFolder(deeper);
    const server = await serverPid(running.data);
    const { copy, data } = await ways[way]!(running.data);
    const ofCopy = await openPrivatePostgres({ directory: copy });
    expect(await serverPid(copy)).not.toBe(server);
    await note(ofCopy, 'copy');
    expect(await noted(ofCopy)).toEqual(['original', 'copy']);
    const beside = await openPrivatePostgres({ directory: data });
    expect(await serverPid(data)).toBe(server);
    expect(await noted(beside)).toEqual(['original']);
    await beside.close();
    const serverOfCopy = await serverPid(copy);
    const last = await openPrivatePostgres({ directory: data });
    // The path it was opened at may be the copy's now.
    await running.original.close();
    expect([await isAlive(server), await isAlive(serverOfCopy)]).toEqual([true, true]);
    await last.close();
    await untilGone(server);
    expect(await isAlive(serverOfCopy)).toBe(true);
    await ofCopy.close();
    await untilGone(serverOfCopy);
    expect(running.original.reports.map(({ kind }) => kind)).not.toContain('lost');
  },
);

test('a copy of a running folder opens after the original stopped, and after its server was killed', async () => {
  const { data, original } = await runningFolder();
  await copyFolder(data, `${data}-copy`);
  process.kill(await serverPid(data), 'SIGKILL');
  await original.reported('lost');
  const copy = await openPrivatePostgres({ directory: `${data}-copy` });
  expect(await noted(copy)).toEqual(['original']);
  await copy.close();
});

test('a copy made during writes recovers every row that was acknowledged before', async () => {
  const { data, original } = await runningFolder();
  original.order('insert');
  await original.reported('acknowledged');
  const before = original.lastAcknowledged();
  await copyFolder(data, `${data}-copy`);
  const copy = await openPrivatePostgres({ directory: `${data}-copy` });
  expect(await serverPid(`${data}-copy`)).not.toBe(await serverPid(data));
  const { rows } = await asOwner(copy.connection, client =>
    client.query('select count(*)::int as rows from acknowledged where number <= $1', [before]),
  );
  expect(rows[0].rows).toBe(before);
  await copy.close();
  await original.kill();
  await (await openPrivatePostgres({ directory: data })).close();
});

test.each([
  ['stopped', ''],
  ['running', ''],
  ['running', long],
])('a folder that was moved while it was %s keeps its database (%s)', async (state, deeper) => {
  const { data, original } = await runningFolder(deeper);
  const server = await serverPid(data);
  if (state === 'stopped') await original.close();
  const moved = join(dirname(data), 'moved');
  await rename(data, moved);
  const postgres = await openPrivatePostgres({ directory: moved });
  expect(await noted(postgres)).toEqual(['original']);
  expect((await serverPid(moved)) === server).toBe(state === 'running');
  if (state === 'running') await original.close();
  await postgres.close();
  await untilGone(server);
});

test('a folder with another path is the same folder: through a link', async () => {
  const { data } = await runningFolder();
  await symlink(data, `${data}-link`);
  await expectTheSame(data, `${data}-link`);
});

const canMount = canTest(
  isRoot && spawnSync('unshare', ['-m', 'true']).status === 0,
  'only root with namespaces can mount folders; none is mounted at two places',
);

test.runIf(canMount)('a folder with another path is the same folder: mounted at two places', async () => {
  const { data } = await runningFolder();
  const elsewhere = await mkdtemp(`${data}-mount-`);
  await run('mount', ['--bind', data, elsewhere]);
  mounted.push(elsewhere);
  await expectTheSame(data, elsewhere);
});

async function expectTheSame(data: string, name: string): Promise<void> {
  const server = await serverPid(data);
  const postgres = await openPrivatePostgres({ directory: name });
  expect(await serverPid(name)).toBe(server);
  expect(await noted(postgres)).toEqual(['original']);
  await postgres.close();
}

test('a cluster that was replaced under its running server is refused', async () => {
  const { data } = await runningFolder();
  const cluster = join(data, 'postgres/cluster-18');
  await rename(cluster, `${data}-aside`);
  await copyFolder(`${data}-aside`, cluster);
  await expect(openPrivatePostgres({ directory: data })).rejects.toThrow(
    /^the server that runs for .* works in another folder than .*cluster-18, which was replaced: stop every/,
  );
  expect(await processesIn(cluster)).toEqual([]);
  await rm(cluster, { recursive: true });
  await rename(`${data}-aside`, cluster);
});

test('a copy made of hard links is refused, because it shares the files', async () => {
  const { data, original } = await runningFolder();
  await run('cp', ['-al', data, `${data}-copy`]);
  await expect(openPrivatePostgres({ directory: `${data}-copy` })).rejects.toThrow(
    /cluster-18 are hard links that another folder shares: make a full copy/,
  );
  expect(await processesIn(`${data}-copy`)).toEqual([]);
  await rm(`${data}-copy`, { recursive: true });
  expect(original.reports.map(({ kind }) => kind)).not.toContain('lost');
});

test('a copy with a link to the database of the original is refused', async () => {
  const data = await folders.make();
  const disk = `${data}-disk`;
  for (const folder of [data, disk]) await mkdir(folder, { mode: 0o711 });
  await symlink(disk, join(data, 'postgres'));
  await opened(data);
  await copyFolder(data, `${data}-copy`);
  await expect(openPrivatePostgres({ directory: `${data}-copy` })).rejects.toThrow(
    `${data}-copy/postgres links to the database of ${data}: remove the link`,
  );
});

test.runIf(isRoot)('a new data folder at the path of a moved one gets a separate database', async () => {
  const data = await folders.make(0o700);
  const first = await openPrivatePostgres({ directory: data });
  await note(first, 'moved');
  await first.close();
  await rename(data, `${data}-moved`);
  const fresh = await openPrivatePostgres({ directory: data });
  await note(fresh, 'fresh');
  expect(await noted(fresh)).toEqual(['fresh']);
  await fresh.close();
  const moved = await openPrivatePostgres({ directory: `${data}-moved` });
  expect(await noted(moved)).toEqual(['moved']);
  await moved.close();
  // Cleanup removes one home below /var/lib/parapet, which it finds through the link in `data`.
  await rm(dirname(await realpath(join(data, 'postgres'))), { recursive: true });
  await rm(data, { recursive: true });
  await rename(`${data}-moved`, data);
});
