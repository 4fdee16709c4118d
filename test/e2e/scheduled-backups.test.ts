import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { DataFolders, ORDINARY, othersCanRun } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';

const folders = new DataFolders();
const { PATH } = process.env;
const masterKey = randomBytes(32).toString('base64');
/** Half a day away: a backup that becomes due during a test would be a second one. */
const PARAPET_BACKUP_TIME = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16);
let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
const running: ServingProcess[] = [];

beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
});
beforeEach(async () => {
  folder = await folders.make();
  await mkdir(folder);
  env = {
    DATABASE_URL: database.url,
    PARAPET_MASTER_KEY: masterKey,
    PARAPET_BACKUP_DIR: folder,
    PARAPET_BACKUP_TIME,
  };
  await sql('delete from backups');
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill('SIGTERM');
});
afterAll(async () => {
  await database?.drop();
  await folders.remove();
});

const sql = (text: string, values: unknown[] = []) =>
  asOwner(database.connection, client => client.query(text, values));

async function serve(more: Record<string, string> = {}, role = 'worker'): Promise<ServingProcess> {
  const service = await ServingProcess.serve({ ...env, ...more }, ['--role', role]);
  running.push(service);
  return service;
}

const entry = (service: ServingProcess, event: string) =>
  poll(event, () =>
    service.log.map(line => (line.startsWith('{') ? JSON.parse(line) : {})).find(({ msg }) => msg === event),
  );

const backupsIn = async (path: string) => (await readdir(path)).filter(name => name.endsWith('.tar'));

it('backs up once a day, whichever of several nodes does it, and says how old the last backup is', async () => {
  const first = await serve({ PARAPET_PROCESSES: '2' }, 'all');
  const { file, rows, bytes } = await entry(first, 'backup.finished');
  expect(await backupsIn(folder)).toEqual([file.split('/').at(-1)]);
  expect([rows, bytes]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(await operate({}, 'backup', 'verify', file)).toMatchObject({ valid: true, rows });

  const { management } = await entry(first, 'ready');
  const metrics = await (await fetch(`${management}/metrics`)).text();
  expect(metrics).toMatch(/^parapet_backup_age_seconds \d+(\.\d+)?$/m);
  const { checks } = await operate(env, 'doctor');
  expect(checks).toContainEqual({
    check: 'backups',
    ok: true,
    detail: expect.stringMatching(/^the last is of 20/),
  });

  // What a second node would run at the same time.
  const again = await parapet(['backup', folder, '--scheduled', '--json'], { PATH, ...env });
  expect([again.errors, JSON.parse(again.output)]).toEqual(['', { file: null }]);
  expect(await backupsIn(folder)).toHaveLength(1);
});

it('deletes the installation’s older backups, and nothing else in the folder', async () => {
  const keep = { ...env, PARAPET_BACKUP_KEEP: '2/0/0' };
  const names: string[] = [];
  const add = async (name: string, day: string) => {
    const { file } = await operate(env, 'backup', folder);
    await rename(file, join(folder, name));
    await sql('update backups set file = $1, made_at = $2 where file = $3', [name, day, basename(file)]);
  };
  for (const day of ['20260101', '20260102', '20260103']) {
    const name = `parapet-${day}T020000Z.tar`;
    await add(name, day);
    names.push(name);
  }
  const others = ['parapet-20250101T020000Z.tar', 'notes.txt', 'parapet-20260104T020000Z.tar.unfinished'];
  for (const other of others) await writeFile(join(folder, other), 'x');
  const foreign = 'parapet-20260105T020000Z.tar';
  await add(foreign, '20260105');
  await appendFile(join(folder, foreign), 'as one of the same name in another folder');
  const [named, unfinished] = ['parapet-20260106T020000Z.tar', 'parapet-folder.unfinished'];
  await add(named, '20260106');
  await rm(join(folder, named));
  for (const name of [named, unfinished]) {
    await mkdir(join(folder, name));
    await utimes(join(folder, name), new Date('2024-01-01'), new Date('2024-01-01'));
  }
  others.push(foreign, named, unfinished);
  const killed = 'parapet-20240101T020000Z.tar.unfinished';
  await writeFile(join(folder, killed), 'x');
  await utimes(join(folder, killed), new Date('2024-01-01'), new Date('2024-01-01'));

  const service = await serve(keep);
  const { file, deleted } = await entry(service, 'backup.finished');
  expect(deleted).toEqual([names[1], names[0]]);
  expect((await readdir(folder)).toSorted()).toEqual(
    [...others, names[2], file.split('/').at(-1)].toSorted(),
  );
});

it.runIf(await othersCanRun())('makes the folder as the owner of the data folder, also as root', async () => {
  const data = await folders.make(0o755, ORDINARY);
  await mkdir(data);
  await chown(data, ORDINARY.uid, ORDINARY.gid);
  const [backups, more] = [join(data, '../backups'), { PATH: PATH!, PARAPET_DATA: data }];
  await (await ServingProcess.serve({ ...more, PARAPET_MANAGEMENT_PORT: 'off' })).kill('SIGTERM');
  const made = await parapet(['backup', '--json'], { ...more, PARAPET_BACKUP_DIR: backups });
  expect([made.status, made.errors]).toEqual([0, '']);
  expect((await stat(backups)).uid).toBe(ORDINARY.uid);
});

it('fails when a backup is missing that should be finished', async () => {
  const doctor = () => operate(env, 'doctor');
  const { checks } = await doctor();
  expect(checks).toContainEqual({
    check: 'backups',
    ok: false,
    detail: expect.stringMatching(/^none yet; the scheduled one of 20.*Z is missing$/),
  });
});

it('ends a backup without a file when the service stops', async () => {
  await asOwner(database.connection, async holder => {
    await holder.query('begin; lock table finding_views');
    const service = await serve();
    await untilWaiting(database.connection, 1);
    await service.kill('SIGTERM');
    await holder.query('rollback');
  });
  await poll('the connections end', async () => {
    const { rows } = await sql("select from pg_stat_activity where application_name = 'parapet-backup'");
    return rows.length === 0;
  });
  expect(await readdir(folder)).toEqual([]);
});

it('logs why it cannot back up', async () => {
  const node = `${database.connection.database}_node`;
  await sql(`create role ${node} login password 'node'`);
  await migrate(database.connection, { nodeRole: node });
  const url = new URL(database.url);
  Object.assign(url, { username: node, password: 'node' });
  const service = await serve({ DATABASE_URL: url.href });
  const { reason, level } = await entry(service, 'backup.failed');
  expect(reason).toMatch(/back up with the role that owns the database/);
  expect(level).toBe(50);
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  [
    'a folder that cannot be one',
    { PARAPET_BACKUP_DIR: '/dev/null' },
    /PARAPET_BACKUP_DIR: .*(?:ENOTDIR|EEXIST)/,
  ],
  ['a time that is none', { PARAPET_BACKUP_TIME: '25:00' }, /PARAPET_BACKUP_TIME must be a time in UTC/],
  ['numbers that are none', { PARAPET_BACKUP_KEEP: '7/4' }, /PARAPET_BACKUP_KEEP must be the numbers/],
  ['a recipient that is none', { PARAPET_BACKUP_RECIPIENTS: 'age1none' }, /is not a recipient of age/],
  [
    'an unreadable passphrase',
    { PARAPET_BACKUP_PASSPHRASE_FILE: '/nowhere' },
    /^parapet: the file in PARAPET_BACKUP_PASSPHRASE_FILE cannot be read \(ENOENT\)/,
  ],
])('does not start with %s', async (_what, wrong, line) => {
  const { status, errors } = await parapet(['serve', '--role', 'worker'], { PATH, ...env, ...wrong });
  expect([status, errors]).toEqual([1, expect.stringMatching(line)]);
  expect(errors).toMatch(/^parapet: [^\n]*\n$/);
});
