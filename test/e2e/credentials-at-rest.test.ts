import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operate, ParapetProcess, parapet } from '../support/parapet-process.ts';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

const folders = new DataFolders();
let data: string;
let env: Record<string, string>;
let serving: ServingProcess;
let key: ClientKey;
let organizationId: string;
let systemId: string;

beforeAll(async () => {
  data = await folders.made();
  env = {
    PATH: process.env.PATH!,
    PARAPET_DATA: data,
    PARAPET_PRIVILEGED_CONNECTIONS: 'on',
    PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
    PARAPET_LOG_LEVEL: 'debug',
  };
  serving = await ServingProcess.serve(env);
  const organization = await operate(env, 'organizations', 'create', '--name', 'A');
  organizationId = organization.id;
  key = await mint();
  const body = { name: 'S', environment: 'test', kind: 'site' };
  systemId = (await call(serving.url, key, 'POST', '/api/v1/systems', body)).json.system.id;
}, 60_000);
afterAll(async () => {
  await serving?.kill('SIGTERM');
  await folders.remove();
});

const mint = (): Promise<ClientKey> =>
  operate(env, 'keys', 'mint', '--organization', organizationId, '--kind', 'dashboard', '--privileged');

/** Values that do not occur by chance, and that no escaping would change. */
const secrets = Object.fromEntries(
  ['basic', 'header', 'postgres', 'mysql', 'redis', 'supabase'].map(name => [
    name,
    `s3cret${randomBytes(18).toString('hex')}`,
  ]),
);

interface Source {
  readonly kind: string;
  readonly host?: string;
  readonly credential: object;
}

const sources: readonly Source[] = [
  { kind: 'website', credential: { type: 'basic', username: 'u', password: secrets.basic } },
  { kind: 'website', credential: { type: 'header', name: 'x-key', value: secrets.header } },
  {
    kind: 'postgres',
    host: '127.0.0.1:1',
    credential: { type: 'dsn', dsn: `postgresql://u:${secrets.postgres}@127.0.0.1:1/d?sslmode=disable` },
  },
  {
    kind: 'mysql',
    host: '127.0.0.1:1',
    credential: { type: 'dsn', dsn: `mysql://u:${secrets.mysql}@127.0.0.1:1/d` },
  },
  {
    kind: 'redis',
    host: '127.0.0.1:1',
    credential: { type: 'dsn', dsn: `rediss://u:${secrets.redis}@127.0.0.1:1/0` },
  },
  {
    kind: 'supabase',
    host: '127.0.0.1:1',
    credential: { type: 'service_role', url: 'https://127.0.0.1:1', key: secrets.supabase },
  },
];

const post = async (path: string, body: object = {}) => {
  const answer = await call(serving.url, key, 'POST', path, body);
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  return answer;
};

/** Stores a credential, and uses it in a test. @returns the source's ID */
async function connectWithCredential({ kind, host, credential }: Source): Promise<string> {
  const input = { system_id: systemId, name: 'N', kind, host: host ?? 'http://127.0.0.1:1/' };
  const { source } = (await post('/api/v1/sources', input)).json;
  const path = `/api/v1/sources/${source.id}`;
  await post(`${path}/risk-accept`);
  const stored = await post(`${path}/credential`, { credential });
  const tested = await post(`${path}/test`);
  expect(tested.json.test.ok).toBe(false);
  await post(`${path}/authorize-scan`);
  expectNoSecret(stored.text, tested.text);
  return source.id;
}

/** Uses the credentials of a number of sources in a scan. */
async function scan(of: readonly string[], sourceCount: number): Promise<void> {
  // A key has a rate limit, and on a busy machine a scan is polled for long.
  key = await mint();
  const { output, errors } = await parapet(['scan', ...of, '--wait'], { ...env, ...clientEnv() });
  const id = /^scan (\S+): /.exec(errors)?.[1];
  const shown = await call(serving.url, key, 'GET', `/api/v1/scans/${id}`);
  const { status, runs } = shown.json.scan;
  expect(status).toMatch(/failed|completed/);
  expect(new Set(runs.map((run: { source_id: string }) => run.source_id)).size).toBe(sourceCount);
  expectNoSecret(output, errors, shown.text);
}

function expectNoSecret(...texts: readonly string[]): void {
  for (const text of texts) {
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  }
}

const clientEnv = () => ({
  PARAPET_URL: serving.url,
  PARAPET_TOKEN: key.token,
  PARAPET_TOKEN_ID: key.token_id,
  PARAPET_SIGNING_KEY: key.signing_key,
});

/** Every file below the folder, including the database's write-ahead log, and targets of links. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(await realpath(folder), { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

/** Forms of a secret in a file that stores it unencrypted by mistake. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // base64 of the middle, at each of the three alignments, without characters that depend on adjacent bytes.
  const aligned = [0, 1, 2].map(skip => {
    const part = bytes.subarray(skip, bytes.length - ((bytes.length - skip) % 3));
    return Buffer.from(part.toString('base64').replace(/=+$/, ''));
  });
  return [bytes, Buffer.from(bytes.toString('hex')), Buffer.from(secret, 'utf16le'), ...aligned];
}

it('leaves no credential in plain text: not in the database’s files, not in the log', {
  timeout: 300_000,
}, async () => {
  for (const source of sources) await connectWithCredential(source);
  await scan(['--system', systemId], sources.length);
  const rotation = await parapet(['keys', 'rotate-master', '--json'], env);
  expect(rotation.errors).toBe('');
  expect(JSON.parse(rotation.output).rewrapped).toBe(sources.length);
  // The same service, which read the old key on start, opens them with the new one.
  const doctor = await parapet(['doctor'], env);
  expect(doctor.output).toMatch(/ok {4}master keys: all records use [0-9a-f]{16}/);
  // A clean stop writes everything to the files.
  expect(await serving.kill('SIGTERM')).toBe(0);
  const files = await filesBelow(data);
  const inDatabase = files.filter(file => /\/(base|pg_wal)\//.test(file));
  expect(inDatabase.length, 'the database files were read').toBeGreaterThan(100);
  const master = (await readFile(join(data, 'master.key'), 'utf8')).trim();
  const found: string[] = [];
  let marked = 0;
  for (const file of files) {
    const bytes = await readFile(file);
    if (bytes.includes('source.credential_stored')) marked += 1;
    for (const [name, secret] of Object.entries(secrets)) {
      if (formsOf(secret).some(form => bytes.includes(form))) found.push(`${name} in ${file}`);
    }
    if (!file.endsWith('master.key') && bytes.includes(master)) found.push(`the master key in ${file}`);
  }
  expect(marked, 'plain text would have been found').toBeGreaterThan(0);
  expect(found).toEqual([]);
  const log = serving.log.join('\n');
  for (const secret of [...Object.values(secrets), master]) expect(log).not.toContain(secret);
  serving = await ServingProcess.serve(env);
});

it('can be killed during a rotation and continues, beside the running service', {
  timeout: 300_000,
}, async () => {
  const source = { ...sources[0]!, host: 'http://127.0.0.1:1/kept' };
  await scan(['--source', await connectWithCredential(source)], 1);
  for (const delayMs of [150, 300, 450, 600]) {
    const rotation = new ParapetProcess(['keys', 'rotate-master'], env);
    const timer = setTimeout(() => rotation.signal('SIGKILL'), delayMs);
    await rotation.end();
    clearTimeout(timer);
  }
  const last = await parapet(['keys', 'rotate-master', '--json'], env);
  expect(last.errors).toBe('');
  expect(await readdir(data)).not.toContain('master.key.previous');
  expect((await parapet(['doctor'], env)).status).toBe(0);
  // It is opened for the test, which fails because there is no server, not because of a key.
  const { json } = await call(serving.url, key, 'GET', '/api/v1/sources');
  for (const { id, kind } of json.sources) {
    const tested = await call(serving.url, key, 'POST', `/api/v1/sources/${id}/test`, {});
    expect(tested.status, kind).toBe(200);
  }
});
