import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { operate, ParapetProcess, parapet } from '../support/parapet-process.ts';
import { processesIn } from '../support/private-postgres/data-folders.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer } from '../support/website.ts';

let folder: string;
let service: ParapetProcess;
let site: SampleSite;
/** The environments of the operator and of a client. */
let operator: NodeJS.ProcessEnv;
let client: NodeJS.ProcessEnv;
let url: string;
let key: ClientKey;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parapet-test-')));
  // As root, the database runs as another user, who needs access.
  await chmod(folder, 0o711);
  site = await startSampleSite();
  const { PATH } = process.env;
  operator = {
    PATH,
    PARAPET_DATA: folder,
    PORT: '0',
    PARAPET_PROCESSES: '1',
    PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
  };
  service = new ParapetProcess(['serve'], operator);
  await service.says('"msg":"ready"');
  url = JSON.parse(service.output.split('\n').find(line => line.includes('"msg":"ready"'))!).url;
  const organization = await operate(operator, 'organizations', 'create', '--name', 'Acme');
  key = await operate(operator, 'keys', 'mint', '--organization', organization.id);
  client = {
    PATH,
    PARAPET_URL: url,
    PARAPET_TOKEN: key.token,
    PARAPET_TOKEN_ID: key.token_id,
    PARAPET_SIGNING_KEY: key.signing_key,
  };
});

afterAll(async () => {
  service.signal('SIGTERM');
  const status = await service.end();
  await site.close();
  const left = await processesIn(folder);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
  expect({ status, left }).toEqual({ status: 0, left: [] });
});

/** Prepares a case without a process per call; requests of `parapet call` are tested below. */
async function create(path: string, body: object) {
  const { status, text, json } = await call(url, key, 'POST', path, body);
  expect(status, text).toBeLessThan(300);
  return json;
}

/** A source that is authorized for scans. */
async function authorizedSource(systemId: string, host: string): Promise<string> {
  const created = { system_id: systemId, name: 'Website', kind: 'website', host };
  const { source } = await create('/api/v1/sources', created);
  await create(`/api/v1/sources/${source.id}/risk-accept`, {});
  await create(`/api/v1/sources/${source.id}/authorize-scan`, {});
  return source.id;
}

const system = { name: 'Café', environment: 'test', kind: 'site' };

it('does not serve on a vulnerable release of Node.js', async () => {
  const older = join(folder, 'older.cjs');
  await writeFile(older, "Object.defineProperty(process, 'version', { value: 'v20.19.0' });");
  const data = join(folder, 'unused');
  const env = { ...operator, PARAPET_DATA: data, NODE_OPTIONS: `--require ${older}` };
  const { status, errors } = await parapet(['serve'], env);
  expect(status).toBe(1);
  expect(errors).toMatch(/^parapet: Node\.js 20\.19\.0 has known vulnerabilities[^\n]*\n$/);
  await expect(stat(data), 'nothing was started').rejects.toThrow('ENOENT');
});

describe('parapet call', () => {
  it('sends exactly the given body: from the command line, a file or standard input', async () => {
    const text = `{ "name": "Café", "environment":"test",\n"kind":"site" }\n`;
    const file = join(folder, 'body.json');
    await writeFile(file, text);
    for (const body of [text, `@${file}`, '-']) {
      const answer = await parapet(['call', 'post', '/api/v1/systems', '--body', body], client, text);
      expect(answer).toMatchObject({ status: 0, errors: 'HTTP 201 Created\n' });
      expect(JSON.parse(answer.output).system).toMatchObject(system);
    }
    const listed = await parapet(['call', 'GET', '/api/v1/systems?limit=2'], client);
    expect(JSON.parse(listed.output)).toMatchObject({
      systems: [system, system],
      next_cursor: expect.any(String),
    });
  });

  it('shows the service’s error, and exits with 1', async () => {
    const answer = await parapet(['call', 'POST', '/api/v1/systems', '--body', '{"nam":1}'], client);
    expect(answer).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^HTTP 400 Bad Request\nRequest ID [0-9a-f-]{36}\n$/),
    });
    expect(JSON.parse(answer.output).error).toBe('Invalid body');
  });

  it.each([
    [{ PARAPET_TOKEN: '' }, /^parapet: PARAPET_TOKEN must be set/],
    [
      { PARAPET_SIGNING_KEY: 'svc_sign_short' },
      /^parapet: PARAPET_SIGNING_KEY is not a signing key[^\n]*\n$/,
    ],
    [{ PARAPET_URL: 'http://127.0.0.1:9' }, /^parapet: http:\/\/127\.0\.0\.1:9 cannot be reached/],
  ])('reports in one line what is wrong with %j', async (wrong, line) => {
    const answer = await parapet(['call', 'GET', '/api/v1/systems'], { ...client, ...wrong });
    expect(answer).toMatchObject({ status: 1, output: '', errors: expect.stringMatching(line) });
  });
});

it.each([
  ['an error in another form', 500, { error: 'E', fields: {} }, /500/],
  ['a response of something else', 400, null, /400/],
  ['a scan without runs', 200, { scan: { id: 'i', finished_at: '' } }, /TypeError/],
  [
    'text with terminal control sequences',
    200,
    { scan: { id: 'i\u001b]0;t\u0007', status: '\u009b31m', verdict: '\u001b', runs: [], finished_at: '' } },
    /scan i\\u001b\]0;t\\u0007: \\u009b31m/,
  ],
])(
  'parapet scan does not take %s as a result, and prints none of its control characters',
  async (_what, status, body, told) => {
    const server = await httpServer((request, response) => {
      const lists = request.url!.includes('findings') ? { findings: [], next_cursor: null } : body;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(lists));
    });
    const env = { ...client, PARAPET_URL: `http://127.0.0.1:${server.port}` };
    const ended = await parapet(['scan', '--source', randomUUID(), '--wait'], env);
    const json = await parapet(['scan', '--source', randomUUID(), '--format', 'json'], env);
    await server.close();
    expect([2, 3]).toContain(ended.status);
    expect(ended.errors).toMatch(told);
    expect(ended.output + ended.errors + json.output + json.errors).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/,
    );
  },
);

describe('parapet scan', () => {
  let systemId: string;
  let sourceId: string;
  beforeAll(async () => {
    systemId = (await create('/api/v1/systems', system)).system.id;
    sourceId = await authorizedSource(systemId, site.host);
  });

  it('waits, reports, and fails on the given severity', async () => {
    const bad = await parapet(['scan', '--source', sourceId, '--wait', '--fail-on', 'high'], client);
    expect(bad.status, bad.errors).toBe(1);
    expect(bad.output).toMatch(
      /^CRITICAL$[\s\S]*exposure\.secrets_file[\s\S]*nginx, in the server block:[\s\S]*Where: http\S+\/dashboard\/findings\/[\s\S]*Verdict: fail\. All/m,
    );
    expect(bad.errors).toMatch(/^scan [0-9a-f-]{36}: /);
    expect(bad.output + bad.errors).not.toContain('\u001b');

    const json = await parapet(['scan', '--system', systemId, '--wait', '--format', 'json'], client);
    expect(json.status, json.errors).toBe(0);
    const { scan, findings } = JSON.parse(json.output);
    expect(scan).toMatchObject({ status: 'completed', verdict: 'fail', system_id: systemId });
    expect(findings.length).toBeGreaterThan(20);
  });

  it('starts only one scan for an idempotency key, and reports in SARIF', async () => {
    const once = ['--idempotency-key', 'build-4711'];
    const first = await parapet(['scan', '--source', sourceId, ...once], client);
    expect(first.status, first.errors).toBe(0);
    const id = /^Scan (\S+) is /.exec(first.output)![1];
    const second = await parapet(['scan', '--source', sourceId, ...once, '--format', 'sarif'], client);
    expect(second.status, second.errors).toBe(0);
    const log = JSON.parse(second.output);
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ properties: { scan_id: id } }] });
    expect(log.runs[0].results[0].locations[0]).toMatchObject({
      physicalLocation: { artifactLocation: { uri: encodeURIComponent(site.host) } },
      logicalLocations: [{ name: 'Website', fullyQualifiedName: `source/${sourceId}` }],
    });
  });

  it('says that the operator’s allowlist is what a scan of a private address lacks, in its report and in the log', async () => {
    const hidden = await authorizedSource(systemId, '10.1.2.3');
    const { status, output } = await parapet(['scan', '--source', hidden, '--wait'], client);
    expect({ status, output }).toMatchObject({
      status: 3,
      output: expect.stringMatching(/ failed\. .*\(refused_private_address\).*PARAPET_TARGET_ALLOWLIST/),
    });
    const logged = service.output.split('\n').filter(line => line.includes(hidden));
    expect(JSON.parse(logged.at(-1)!)).toMatchObject({
      msg: 'inspection.ended',
      succeeded: 0,
      causes: [
        { cause: 'refused_private_address', meaning: expect.stringContaining('PARAPET_TARGET_ALLOWLIST') },
      ],
    });
  });

  it('does not pass a site that could not be assessed', async () => {
    const lost = await authorizedSource(systemId, '127.0.0.1:9');
    const { status, output } = await parapet(['scan', '--source', lost, '--fail-on', 'low'], client);
    expect({ status, output }).toMatchObject({
      status: 3,
      output: expect.stringMatching(
        /Verdict: inconclusive\. None of \d+ runs succeeded\. \d+ runs failed \(connection_refused\): /,
      ),
    });
  });

  it('distinguishes wrong usage and errors of the service from findings', async () => {
    for (const parameters of [
      [],
      ['--system', systemId, '--source', sourceId],
      ['--source', sourceId, '--fail-on', 'worst'],
      ['--source', sourceId, '--nonsense'],
      ['--source'],
    ]) {
      const answer = await parapet(['scan', ...parameters], client);
      expect(answer, parameters.join(' ')).toMatchObject({ status: 2, output: '' });
    }
    const draft = { system_id: systemId, name: 'Draft', kind: 'website', host: 'portal.example' };
    const { source } = await create('/api/v1/sources', draft);
    const refused = await parapet(['scan', '--source', source.id, '--wait'], client);
    expect(refused.status).toBe(2);
    expect(refused.errors).toMatch(/^parapet: POST \/api\/v1\/scans: 400 .*scan_not_authorized/);
  });
});

describe('parapet keys revoke', () => {
  it('takes effect at once while the service runs, and the client explains a 401', async () => {
    const before = await parapet(['call', 'GET', '/api/v1/systems'], client);
    expect(before.status).toBe(0);
    const revoked = await parapet(['keys', 'revoke', client.PARAPET_TOKEN_ID!], operator);
    expect(revoked.status, revoked.errors).toBe(0);
    const at = new Date(Date.now() + 60_000).toISOString();
    const expired = await parapet(['keys', 'expire', client.PARAPET_TOKEN_ID!, '--at', at], operator);
    expect([expired.status, expired.errors]).toEqual([1, expect.stringContaining('expired or revoked')]);
    for (const day of [
      '2026-02-30T00:00:00Z',
      '2027-04-31T00:00:00+00:00',
      '2027-02-29',
      '2027-01-01T00:00:00',
    ]) {
      const never = await parapet(['keys', 'expire', client.PARAPET_TOKEN_ID!, '--at', day], operator);
      expect([never.status, never.errors], day).toEqual([
        1,
        expect.stringContaining('--at must be ISO 8601'),
      ]);
    }
    const after = await parapet(['call', 'GET', '/api/v1/systems'], client);
    expect(after).toMatchObject({ status: 1, output: '{"error":"Unauthorized"}' });
    expect(after.errors).toMatch(
      /^HTTP 401 Unauthorized\nRequest ID [0-9a-f-]{36}\n[\s\S]*clock is correct[\s\S]*expired, revoked or/,
    );
  });
});

describe('parapet keys mint and rotate', () => {
  it('limits name, scopes and expiry, and replaces the key with an overlap', async () => {
    const { id } = await operate(operator, 'organizations', 'create', '--name', 'Rotating');
    const of = ['--organization', id];
    const scopes = ['--scope', 'scans:write', '--scope', 'findings:read'];
    const old = await operate(operator, 'keys', 'mint', ...of, '--name', 'CI', ...scopes, '--expires', '90d');
    expect(old.scopes).toEqual(['findings:read', 'scans:write']);
    const next = await operate(operator, 'keys', 'rotate', old.token_id, '--overlap', '1h');
    expect(next).toMatchObject({ scopes: old.scopes, replaced: { token_id: old.token_id } });
    const days = (at: string) => (Date.parse(at) - Date.now()) / 86_400_000;
    expect(days(next.expires_at)).toBeCloseTo(90, 1);
    expect(days(next.replaced.expires_at) * 24).toBeCloseTo(1, 1);
    for (const either of [old, next])
      expect((await call(url, either, 'GET', '/api/v1/systems')).status).toBe(200);
    const { output } = await parapet(['keys', 'list', ...of], operator);
    expect(output.match(/ {2}CI {2}dashboard {2}expires /g)).toHaveLength(2);
    const text = await parapet(['keys', 'rotate', next.token_id], operator);
    expect(text.output).toMatch(
      /^PARAPET_TOKEN=svc_live_\w+$[\s\S]*^# replaces [0-9a-f-]{36}, which expires /m,
    );
  });

  it.each([
    [['--scope', 'everything'], '--scope must be one of ingest, findings:read'],
    [['--scope', 'findings:read', '--privileged'], '--privileged requires the scope sources:write'],
    [['--expires', '366d'], '--expires must be in the future, and at most 365 days'],
    [['--expires', 'tomorrow'], '--expires must be ISO 8601'],
    [['--name', 'a\nb'], '--name must be a single line'],
    [['--kind', 'probe'], '--system is required'],
    [['--system', randomUUID()], '--system is not available for dashboard keys'],
  ])('refuses %j', async (options, reason) => {
    const minted = await parapet(['keys', 'mint', '--organization', randomUUID(), ...options], operator);
    expect([minted.status, minted.output, minted.errors]).toEqual([1, '', expect.stringContaining(reason)]);
  });

  it('does not rotate with another overlap, or a key that is not active', async () => {
    const { id } = await operate(operator, 'organizations', 'create', '--name', 'Ended');
    const { token_id } = await operate(operator, 'keys', 'mint', '--organization', id);
    const wrong = await parapet(['keys', 'rotate', token_id, '--overlap', '2d'], operator);
    expect(wrong.errors).toContain('--overlap must be one of 1h, 1d, 7d, 30d');
    await parapet(['keys', 'revoke', token_id], operator);
    const ended = await parapet(['keys', 'rotate', token_id], operator);
    expect([ended.status, ended.errors]).toEqual([1, expect.stringContaining('expired or revoked')]);
  });
});

it('shows what takes space, by table and organization, while the service runs', async () => {
  const sizes = await operate(operator, 'doctor', '--sizes');
  expect(sizes.database_bytes).toBeGreaterThan(5_000_000);
  const [biggest] = sizes.tables;
  expect(biggest.bytes).toBeGreaterThanOrEqual(sizes.tables.at(-1).bytes);
  const acme = sizes.organizations.find(({ name }: { name: string }) => name === 'Acme');
  const { output } = await parapet(['doctor', '--sizes'], operator);
  const size = String.raw`[\d.]+ [kM]B`;
  expect(output).toMatch(
    new RegExp(`^Database: ${size}, including ${size} for the job queue. Write-ahead log: ${size}\n`),
  );
  expect(output).toMatch(new RegExp(`^${biggest.table} +${size} +${size} +[\\d,]+$`, 'm'));
  const line = `^${acme.organization_id} +~${size} +\\d+% +[\\d,]+  [a-z_]+ +Acme$`;
  expect(output).toMatch(new RegExp(line, 'm'));
  const { status, errors } = await parapet(['doctor', '--sizes', '--anchor', 'x'], operator);
  expect([status, errors]).toEqual([1, expect.stringContaining('cannot be used with')]);
});

it('lists the keys of all organizations, and those of one', async () => {
  const made = [];
  for (const name of ['First', 'Second']) {
    const { id } = await operate(operator, 'organizations', 'create', '--name', name);
    const { token_id } = await operate(operator, 'keys', 'mint', '--organization', id);
    made.push({ organization_id: id, token_id });
  }
  const all = (await operate(operator, 'keys', 'list')).keys;
  expect(all).toEqual(expect.arrayContaining(made.map(key => expect.objectContaining(key))));
  const [first] = made;
  const { keys } = await operate(operator, 'keys', 'list', '--organization', first!.organization_id);
  expect(keys).toEqual([expect.objectContaining(first)]);
  const { output } = await parapet(['keys', 'list'], operator);
  expect(output).toContain(`${first!.organization_id}  ${first!.token_id}  dashboard  expires `);
});

it.each([
  ['a folder that does not exist', 'dta', undefined],
  ['a folder with a folder postgres of something else', 'project', 'postgres/src'],
])('creates no installation in %s', async (_what, name, inside) => {
  const mistyped = join(folder, name);
  if (inside) await mkdir(join(mistyped, inside), { recursive: true });
  for (const command of [
    ['doctor'],
    ['migrate'],
    ['organizations', 'list'],
    ['organizations', 'create', '--name', 'Acme'],
    ['keys', 'list', '--organization', randomUUID()],
  ]) {
    const { status, errors } = await parapet([...command, '--data', mistyped], { PATH: process.env.PATH });
    const expected = `parapet: ${mistyped} is not a Parapet data folder. Check --data and PARAPET_DATA,`;
    expect([status, errors], command.join(' ')).toEqual([1, expect.stringContaining(expected)]);
    const left = await readdir(mistyped, { recursive: true }).catch(() => []);
    expect(left, command.join(' ')).toEqual(inside ? ['postgres', inside] : []);
  }
});
