import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { parapet } from '../support/parapet-process.ts';
import { createDatabase } from '../support/postgres.ts';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

const folders = new DataFolders();
const { PATH } = process.env;
let data: string;
let service: ServingProcess;
let key: ClientKey;
let folder: string;

const run = (parameters: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  parapet([...parameters, '--json'], { PATH, ...env });

async function succeed(parameters: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, output, errors } = await run(parameters, env);
  expect([status, errors], parameters.join(' ')).toEqual([0, '']);
  return JSON.parse(output);
}

beforeAll(async () => {
  data = await folders.made();
  folder = await folders.make();
  await mkdir(folder, { recursive: true });
  service = await ServingProcess.serve({ PARAPET_DATA: data, PARAPET_MANAGEMENT_PORT: 'off' });
  const { id } = await succeed(['organizations', 'create', '--name', 'Acme', '--data', data]);
  key = await succeed(['keys', 'mint', '--organization', id, '--data', data]);
  await createSystem(service.url, 'Before');
});
afterAll(async () => {
  await service?.kill('SIGTERM');
  await folders.remove();
});

async function createSystem(url: string, name: string): Promise<void> {
  const { status, text } = await call(url, key, 'POST', '/api/v1/systems', {
    name,
    environment: 'test',
    kind: 'api',
  });
  expect(status, text).toBe(201);
}

async function systemsOn(env: Record<string, string>): Promise<string[]> {
  const restored = await ServingProcess.serve({ PARAPET_MANAGEMENT_PORT: 'off', ...env });
  const { json } = await call(restored.url, key, 'GET', '/api/v1/systems');
  await restored.kill('SIGTERM');
  return json.systems.map(({ name }: { name: string }) => name);
}

it('backs up a running service, proves that it can be restored, and restores it elsewhere with its master key', async () => {
  const identity = await generateX25519Identity();
  const identityFile = join(folder, 'identity.txt');
  await writeFile(identityFile, `# created: now\n${identity}\n`);
  const backup = ['backup', folder, '--data', data, '--recipient', await identityToRecipient(identity)];
  const { file, encrypted } = await succeed([...backup, '--with-master-key']);
  expect([file, encrypted]).toEqual([expect.stringMatching(/\/parapet-\d{8}T\d{6}Z\.tar\.age$/), true]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringContaining('unfinished')]));
  await createSystem(service.url, 'After');

  const verified = await succeed(['backup', 'verify', file, '--identity-file', identityFile]);
  expect(verified).toMatchObject({ valid: true, audit_logs: 1 });

  const copy = await folders.make();
  const restored = await succeed(['restore', file, '--data', copy, '--identity-file', identityFile]);
  expect(restored).toMatchObject({ rows: verified.rows, master_key: true });
  expect(await readFile(join(copy, 'master.key'), 'utf8')).toBe(
    await readFile(join(data, 'master.key'), 'utf8'),
  );
  expect(await systemsOn({ PARAPET_DATA: copy })).toEqual(['Before']);
  const again = await run(['restore', file, '--data', copy, '--identity-file', identityFile]);
  expect(again).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/^parapet: There is an installation already/),
  });
});

it('restores into a folder with the same master key, and refuses one with another before anything is restored', async () => {
  const env = { PARAPET_BACKUP_PASSPHRASE: 'a long passphrase' };
  const { file } = await succeed(['backup', folder, '--data', data, '--with-master-key'], env);
  const copy = await folders.make();
  await mkdir(copy, { recursive: true });
  const restore = (from: string) => run(['restore', from, '--data', copy], env);
  const masterKey = join(copy, 'master.key');

  const cut = join(folder, 'cut.tar.age');
  await writeFile(cut, (await readFile(file)).subarray(0, -100));
  expect(await restore(cut)).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/^parapet: This is not a backup of Parapet, or it is damaged[^\n]*\n$/),
  });
  expect(await readdir(copy), 'after a restore that failed').not.toContain('master.key');

  await writeFile(masterKey, randomBytes(32).toString('base64'), { mode: 0o600 });
  expect(await restore(file)).toMatchObject({
    status: 1,
    errors: expect.stringMatching(
      /^parapet: [^\n]*master\.key is another master key than that of the backup[^\n]*\n$/,
    ),
  });
  await writeFile(masterKey, await readFile(join(data, 'master.key')), { mode: 0o600 });
  expect(await restore(file), 'after one that was refused').toMatchObject({ status: 0, errors: '' });
  expect(await systemsOn({ PARAPET_DATA: copy })).toContain('Before');
});

it('moves an installation to PostgreSQL of one’s own, and back', async () => {
  const file = join(folder, 'move.tar');
  const first = await succeed(['backup', file, '--data', data]);
  expect(first.encrypted).toBe(false);
  const database = await createDatabase(inject('postgres'));
  const masterKey = (await readFile(join(data, 'master.key'), 'utf8')).trim();
  const env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: masterKey };
  await succeed(['restore', file], env);
  expect(await systemsOn(env)).toEqual(['After', 'Before']);

  const back = join(folder, 'back.tar');
  await succeed(['backup', back], env);
  const home = await folders.make();
  await succeed(['restore', back, '--data', home]);
  await writeFile(join(home, 'master.key'), `${masterKey}\n`, { mode: 0o600 });
  expect(await systemsOn({ PARAPET_DATA: home })).toEqual(['After', 'Before']);
  await database.drop();
});

it('writes a backup whole or not at all, and over nothing', async () => {
  const file = join(folder, 'once.tar');
  await succeed(['backup', file, '--data', data]);
  const bytes = await readFile(file);
  const again = await run(['backup', file, '--data', data]);
  expect(again).toMatchObject({ status: 1, output: '', errors: `parapet: ${file} exists already\n` });
  expect((await readFile(file)).equals(bytes)).toBe(true);
  const nowhere = join(folder, 'no', 'folder.tar');
  const failed = await run(['backup', nowhere, '--data', data]);
  expect(failed).toMatchObject({
    status: 1,
    output: '',
    errors: `parapet: ${nowhere} cannot be written: ENOENT\n`,
  });
  const unready = {
    DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/d',
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const unreachable = await run(['backup', join(folder, 'none.tar')], unready);
  expect(unreachable).toMatchObject({
    status: 1,
    output: '',
    errors: expect.stringMatching(/^parapet: [^\n]*ECONNREFUSED[^\n]*\n$/),
  });
  expect((await readdir(folder)).filter(name => /none|unfinished/.test(name))).toEqual([]);
});

it.each([
  ['a master key without encryption', ['--with-master-key'], {}, /requires an encrypted backup/],
  ['a short passphrase', [], { PARAPET_BACKUP_PASSPHRASE: 'short' }, /at least 12 characters/],
  ['a recipient that is none', ['--recipient', 'age1none'], {}, /is not a recipient of age/],
])('refuses %s in one line', async (_what, options, env, line) => {
  const refused = await run(['backup', join(folder, 'refused.tar'), '--data', data, ...options], env);
  expect(refused).toMatchObject({ status: 1, output: '', errors: expect.stringMatching(line) });
  expect(refused.errors).toMatch(/^parapet: [^\n]*\n$/);
  expect(await readdir(folder)).not.toContain('refused.tar');
});

it('writes to standard output and reads standard input', async () => {
  const piped = await parapet(['backup', '-', '--data', data], { PATH });
  expect([piped.status, piped.errors]).toEqual([0, '']);
  expect(piped.output).toContain('backup.json');
});

it('ends in one line if nothing reads its standard output', async () => {
  const program = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'backup', '-', '--data', data], { env: { PATH } });
  child.stdout.destroy();
  const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([status, errors]).toEqual([1, 'parapet: Stopped before the backup was complete\n']);
});
