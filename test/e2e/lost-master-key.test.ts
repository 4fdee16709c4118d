import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { openPrivatePostgres, type PrivatePostgres } from '../../src/private-postgres/open.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

const folders = new DataFolders();
let data: string;
let outside: TestDatabase;
/** Kept for all commands, most of which would start it. */
let postgres: PrivatePostgres;
/** The content of `master.key`, and its id. */
let key: string;
let id: string;
let made: Made;

interface Made {
  readonly client: ClientKey;
  readonly sourceId: string;
}

beforeAll(async () => {
  data = await folders.made();
  postgres = await openPrivatePostgres({ directory: data });
  made = await beginWithCredential({ PARAPET_DATA: data });
  key = (await readFile(keyFile(), 'utf8')).trim();
  id = parseMasterKey(key).id;
  outside = await createDatabase(inject('postgres'));
  await migrate(outside.connection);
  await beginWithCredential({ DATABASE_URL: outside.url, PARAPET_MASTER_KEY: key });
});
beforeEach(() => writeFile(keyFile(), `${key}\n`, { mode: 0o600 }));
afterAll(async () => {
  await postgres?.close();
  await folders.remove();
  await outside?.drop();
});

const keyFile = () => join(data, 'master.key');
const newKey = () => randomBytes(32).toString('base64');
const env = (more: Record<string, string> = {}) => ({ PATH: process.env.PATH, ...more });
const serve = ['serve', '--port', '0'];

/** A new installation with one stored credential. */
async function beginWithCredential(env: Record<string, string>): Promise<Made> {
  const organization = (await operate(env, 'organizations', 'create', '--name', 'Acme')).id;
  const service = await ServingProcess.serve(env);
  const client: ClientKey = await operate(env, 'keys', 'mint', '--organization', organization);
  const create = async (path: string, body: object) => {
    const { status, text, json } = await call(service.url, client, 'POST', `/api/v1${path}`, body);
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const { system } = await create('/systems', { name: 'S', environment: 'test', kind: 'site' });
  const website = { system_id: system.id, name: 'W', kind: 'website', host: 'example.com' };
  const { source } = await create('/sources', website);
  await create(`/sources/${source.id}/risk-accept`, {});
  await create(`/sources/${source.id}/credential`, {
    credential: { type: 'basic', username: 'u', password: 'p' },
  });
  await create(`/sources/${source.id}/authorize-scan`, {});
  await service.kill('SIGTERM');
  return { client, sourceId: source.id };
}

/** Each leaves the key file in a state that does not open the stored credential. */
const losses: [string, () => Promise<void>, string][] = [
  ['missing', () => rm(keyFile()), 'Restore FILE from a backup'],
  ['replaced by another', () => writeFile(keyFile(), newKey()), 'Restore FILE from a backup'],
  ['truncated', () => writeFile(keyFile(), key.slice(0, 20)), 'FILE must be 32 bytes in base64 (restore it'],
  ['empty', () => writeFile(keyFile(), ''), 'FILE must be 32 bytes in base64 (restore it'],
  ['not a key', () => writeFile(keyFile(), '{"a": 1}\n'), 'FILE must be 32 bytes in base64 (restore it'],
];

it.each(losses)(
  'does not start with a key file that is %s, and leaves it unchanged',
  async (_state, lose, remedy) => {
    await lose();
    const before = [await readdir(data), await readFile(keyFile(), 'utf8').catch(() => null)];
    for (const command of [serve, ['keys', 'rotate-master']]) {
      const { status, output, errors } = await parapet([...command, '--data', data], env());
      expect(status).toBe(1);
      expect(errors).toContain(
        `parapet: Records in the database are encrypted under a master key that is missing:`,
      );
      expect(errors).toContain(` ${id} (credentials of sources: 1). ${remedy.replace('FILE', keyFile())}`);
      expect(errors).toContain(`PARAPET_LOST_MASTER_KEYS=${id}`);
      expect(errors.trim().split('\n')).toHaveLength(1);
      expect(output).not.toContain('"msg":"ready"');
    }
    // Commands that decrypt nothing work, so that an operator can respond.
    expect((await parapet(['organizations', 'list', '--data', data], env())).status).toBe(0);
    const doctor = await parapet(['doctor', '--data', data], env());
    expect(doctor.status).toBe(1);
    expect(doctor.output).toContain(`FAIL  master keys: missing: ${id} (credentials of sources: 1).`);
    expect([await readdir(data), await readFile(keyFile(), 'utf8').catch(() => null)]).toEqual(before);
  },
);

it('starts again once the file is restored', async () => {
  await rm(keyFile());
  expect((await parapet([...serve, '--data', data], env())).status).toBe(1);
  await writeFile(keyFile(), key, { mode: 0o600 });
  const service = await ServingProcess.serve({ PARAPET_DATA: data });
  expect(await service.kill('SIGTERM')).toBe(0);
  expect((await parapet(['doctor', '--data', data], env())).output).toContain(
    `ok    master keys: all records use ${id}`,
  );
});

it('does not start with another PARAPET_MASTER_KEY than that of the records', async () => {
  const wrong = { DATABASE_URL: outside.url, PARAPET_MASTER_KEY: newKey() };
  for (const command of [serve, [...serve, '--role', 'worker'], ['keys', 'rotate-master']]) {
    const { status, errors } = await parapet(command, env(wrong));
    expect(status).toBe(1);
    expect(errors).toMatch(
      new RegExp(
        `^parapet: Records .* missing: ${id} .*\\. Set PARAPET_MASTER_KEY to the missing key, .*\\n$`,
      ),
    );
  }
  const right = { ...wrong, PARAPET_OTHER_MASTER_KEYS: key };
  expect(await (await ServingProcess.serve(right)).kill('SIGTERM')).toBe(0);
});

it('starts without a key that is declared lost, logs that, and creates a new one', async () => {
  await rm(keyFile());
  const declared = { PARAPET_DATA: data, PARAPET_LOST_MASTER_KEYS: id };
  const service = await ServingProcess.serve(declared);
  expect(service.log.map(line => line.startsWith('{') && JSON.parse(line).msg)).toContain('master_key.lost');
  await expectLost(service.url);
  expect(await service.kill('SIGTERM')).toBe(0);
  expect(parseMasterKey(await readFile(keyFile(), 'utf8')).id).not.toBe(id);
  const doctor = await parapet(['doctor'], env(declared));
  expect(doctor.status, doctor.output).toBe(0);
  expect(doctor.output).toContain(`declared lost: ${id} (credentials of sources: 1)`);
  const unknown = await parapet(serve, env({ PARAPET_DATA: data, PARAPET_LOST_MASTER_KEYS: 'all' }));
  expect(unknown.status).toBe(1);
  expect(unknown.errors).toContain('PARAPET_LOST_MASTER_KEYS must be a comma-separated list of key IDs');
});

/** Requests that need the credential get an error to store it again, and then it works. */
async function expectLost(url: string): Promise<void> {
  const { client, sourceId } = made;
  const path = `/api/v1/sources/${sourceId}`;
  const post = async (to: string, body: object) => (await call(url, client, 'POST', to, body)).json;
  const { source, test } = await post(`${path}/test`, {});
  expect([source.status, test.ok, test.error_code]).toEqual(['failing', false, 'credential_lost']);
  const request = { source_id: sourceId, idempotency_key: 'after the loss' };
  const { scan } = await post('/api/v1/scans', request);
  const ended = await poll('the scan to end', async () => {
    const { json } = await call(url, client, 'GET', `/api/v1/scans/${scan.id}`);
    return json.scan.finished_at ? json.scan : undefined;
  });
  expect(ended).toMatchObject({ verdict: 'inconclusive', runs_succeeded: 0 });
  const causes = new Set(ended.runs.map(({ cause }: { cause: string }) => cause));
  expect(causes).toEqual(new Set(['credential_lost']));
}
