import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { currentRiskStatement } from '../../src/domain/risk-statements.ts';
import { explainCause } from '../../src/domain/scan-causes.ts';
import { domainProver } from '../../src/main/prove-domain.ts';
import type { DashboardClient } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { loopbackSandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

const { version: statement_version } = currentRiskStatement('website');

/** The site's response for `/.well-known/parapet-challenge.txt`. */
let published = '';
let site: Server;
let service: TestService;
let privileged: TestService;
let sandbox: ReturnType<typeof loopbackSandbox>;
beforeAll(async () => {
  site = createServer((request, response) => {
    response.statusCode = request.url === '/.well-known/parapet-challenge.txt' && published ? 200 : 404;
    response.end(published);
  });
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
  sandbox = loopbackSandbox();
  service = await startService({ domainProof: domainProver(sandbox) });
  privileged = await startService({
    privilegedConnections: true,
    testConnection: async () => ({
      ok: false,
      checked_at: '2026-01-01T00:00:00.000+00:00',
      latency_ms: 3,
      error_code: 'auth_failed',
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await privileged?.close();
  await sandbox?.close();
  site?.close();
});

interface People {
  readonly admin: DashboardClient;
  readonly member: DashboardClient;
  readonly path: string;
  readonly systemId: string;
}

async function enter(node: TestService): Promise<People> {
  const organizationId = await node.createOrganization();
  const admin = (await addPerson(node, organizationId, 'admin', { steppedUp: true })).client;
  const member = (await addPerson(node, organizationId, 'member')).client;
  const path = `/organizations/${organizationId}`;
  const { json } = await admin.post(`${path}/systems`, {
    name: 'Shop',
    environment: 'production',
    kind: 'site',
  });
  return { admin, member, path, systemId: json.system.id };
}

const draft = async ({ admin, path, systemId }: People, input: object) =>
  (await admin.post(`${path}/sources`, { system_id: systemId, name: 'Front', ...input })).json;
const detail = async ({ member, path }: People, id: string) =>
  (await member.get(`${path}/sources/${id}`)).json.source;

let people: People;
beforeEach(async () => {
  people = await enter(service);
});

describe('a source', () => {
  it('goes from draft to Watch, and names the next step each time', async () => {
    const { admin, path } = people;
    const { source, risk_statement } = await draft(people, { kind: 'website', host: 'Shop.Example.' });
    const at = `${path}/sources/${source.id}`;
    const next = async () => (await detail(people, source.id)).state.next?.action ?? null;
    expect(await next()).toBe('accept_risk');
    expect((await admin.post(`${at}/authorize-scan`)).json.error_code).toBe('source_is_draft');
    const outdated = await admin.post(`${at}/risk-accept`, { statement_version: '0' });
    expect(outdated.json).toMatchObject({ error_code: 'risk_statement_outdated', risk_statement });
    expect(
      (await admin.post(`${at}/risk-accept`)).status,
      'people name the statement that they have read',
    ).toBe(400);
    const read = { statement_version: risk_statement.version };
    expect((await admin.post(`${at}/risk-accept`, read)).status).toBe(200);
    expect(await next()).toBe('test');
    expect((await admin.post(`${at}/test`)).json.test).toMatchObject({ ok: true, error: null });
    expect(await next()).toBe('authorize_scan');
    expect((await admin.request('PUT', `${at}/watch`, { every_hours: 24 })).json.error_code).toBe(
      'scan_not_authorized',
    );
    expect((await admin.post(`${at}/authorize-scan`)).status).toBe(200);
    expect(await next()).toBe('scan');
    const { json } = await admin.post(`${path}/scans`, { source_id: source.id });
    expect(await next()).toBe('watch');
    expect((await admin.request('PUT', `${at}/watch`, { every_hours: 5 })).status).toBe(400);
    expect((await admin.request('PUT', `${at}/watch`, { every_hours: 168 })).json.watch).toMatchObject({
      every_hours: 168,
    });
    expect(await detail(people, source.id)).toMatchObject({
      host: 'shop.example',
      state: { next: null },
      watch: { every_hours: 168 },
      last_scan: { id: json.scan.id, status: 'queued', target: { kind: 'source', name: 'Front' } },
      risk_accepted: { statement_version: risk_statement.version },
      system: { name: 'Shop' },
    });
    expect((await admin.delete(`${at}/watch`)).json).toEqual({ watch: null });
    expect((await admin.delete(at)).json.source.status).toBe('disconnected');
    expect((await detail(people, source.id)).state).toMatchObject({
      actions: [],
      next: { action: 'connect_anew' },
    });
    expect((await admin.post(`${at}/test`)).json.error_code).toBe('source_is_disconnected');
  });

  it('keeps the reason of a failed test until one passes', async () => {
    let code: 'auth_failed' | undefined = 'auth_failed';
    const checked_at = '2026-01-01T00:00:00.000+00:00';
    const node = await startService({
      testConnection: async () => ({
        ok: !code,
        checked_at,
        latency_ms: 3,
        ...(code && { error_code: code }),
      }),
    });
    onTestFinished(() => node.close());
    const those = await enter(node);
    const { source } = await draft(those, { kind: 'redis', host: 'cache.example' });
    const at = `${those.path}/sources/${source.id}`;
    const version = currentRiskStatement('redis').version;
    await those.admin.post(`${at}/risk-accept`, { statement_version: version });
    expect((await detail(those, source.id)).failed_test).toBeNull();
    const { json } = await those.admin.post(`${at}/test`);
    const failed = (await detail(those, source.id)).failed_test;
    expect(failed).toEqual({
      checked_at,
      error_code: 'auth_failed',
      ...explainCause('auth_failed', 'direct', 'redis'),
    });
    expect(json.test.error).toBe(`${failed.what} ${failed.fix}`);
    code = undefined;
    await those.admin.post(`${at}/test`);
    expect((await detail(those, source.id)).failed_test).toBeNull();
  });

  it('shows only the type of a credential and when it was stored', async () => {
    const { admin, path } = people;
    const { source } = await draft(people, { kind: 'website', host: 'shop.example' });
    const at = `${path}/sources/${source.id}`;
    await admin.post(`${at}/risk-accept`, { statement_version });
    const secret = 'a-password-that-nobody-sees';
    const credential = { type: 'basic', username: 'scanner', password: secret };
    const answer = await admin.post(`${at}/credential`, { credential });
    expect(answer.json.credential).toMatchObject({ type: 'basic' });
    const shown = await detail(people, source.id);
    expect(shown.credential).toMatchObject({
      types: ['basic', 'header'],
      allowed: true,
      stored: { type: 'basic' },
    });
    expect(JSON.stringify([answer.json, shown, service.log])).not.toContain(secret);
    const unfit = await admin.post(`${at}/credential`, { credential: { type: 'dsn', dsn: 'postgres://x' } });
    expect(unfit.json.error_code).toBe('credential_not_applicable');
  });

  it('accepts a database credential only if the operator has enabled that', async () => {
    const credential = { type: 'dsn', dsn: 'postgresql://u:p@db.example/app' };
    const submit = async (who: People) => {
      const { source } = await draft(who, { kind: 'postgres', host: 'db.example' });
      const at = `${who.path}/sources/${source.id}`;
      const { version } = currentRiskStatement('postgres');
      await who.admin.post(`${at}/risk-accept`, { statement_version: version });
      return { source, at, answer: await who.admin.post(`${at}/credential`, { credential }) };
    };
    const { answer, source } = await submit(people);
    expect([answer.status, answer.json.error_code]).toEqual([403, 'privileged_connections_disabled']);
    expect((await detail(people, source.id)).credential).toMatchObject({ allowed: false, stored: null });
    const others = await enter(privileged);
    const allowed = await submit(others);
    expect(allowed.answer.json.credential.type).toBe('dsn');
    const { json } = await others.admin.post(`${allowed.at}/test`);
    expect(json.test).toMatchObject({ ok: false, error_code: 'auth_failed' });
    expect(json.test.error).toMatch(/rejected the role or its password.*pg_hba\.conf/);
    expect((await detail(others, allowed.source.id)).state.next.action).toBe('test');
  });

  it('accepts no credential without a fresh second factor', async () => {
    const { source } = await draft(people, { kind: 'website', host: 'shop.example' });
    const organizationId = people.path.split('/')[2]!;
    const { client } = await addPerson(service, organizationId, 'admin', { steppedUp: false });
    const credential = { type: 'basic', username: 'u', password: 'p' };
    const answer = await client.post(`${people.path}/sources/${source.id}/credential`, { credential });
    expect([answer.status, answer.json.error_code]).toEqual([403, 'step_up_required']);
  });

  it('refuses an invalid host, and a missing system', async () => {
    const { admin, path } = people;
    const other = await enter(service);
    const create = (input: object) => admin.post(`${path}/sources`, { name: 'W', kind: 'website', ...input });
    expect((await create({ system_id: people.systemId, host: 'https://u:p@x.example' })).status).toBe(400);
    expect((await create({ system_id: other.systemId, host: 'x.example' })).status).toBe(404);
  });
});

describe('the list of sources', () => {
  it('filters, and pages without omissions', async () => {
    const { member, path } = people;
    for (let index = 0; index < 53; index += 1) {
      await draft(people, { kind: index % 2 ? 'website' : 'mysql', host: `host-${index}.example` });
    }
    const first = (await member.get(`${path}/sources`)).json;
    const second = (await member.get(`${path}/sources?cursor=${first.next_cursor}`)).json;
    expect([first.sources.length, second.sources.length, second.next_cursor]).toEqual([50, 3, null]);
    const count = async (query: string) => (await member.get(`${path}/sources?${query}`)).json.sources.length;
    expect(await count('kind=website')).toBe(26);
    expect(await count('search=HOST-52')).toBe(1);
    expect(await count('status=connected,failing')).toBe(0);
    expect(await count(`system_id=${people.systemId}&status=draft&search=front&kind=mysql`)).toBe(27);
    expect((await member.get(`${path}/sources?status=well`)).status).toBe(400);
  });
});

it('refuses addresses that no scan may reach, except in probe mode', async () => {
  const { admin, path, systemId } = people;
  const create = (host: string, more: object = {}) =>
    admin.post(`${path}/sources`, { system_id: systemId, name: 'N', kind: 'postgres', host, ...more });
  for (const host of ['10.1.2.3', '192.168.1.7:5433', '[fd00::1]', '169.254.169.254']) {
    const refused = await create(host);
    expect([refused.status, refused.json.fields], host).toEqual([
      400,
      [
        {
          path: 'host',
          message: expect.stringMatching(/^must be a public address.*PARAPET_TARGET_ALLOWLIST/),
        },
      ],
    ]);
    expect((await create(host, { connection_mode: 'probe' })).status, host).toBe(201);
  }
  expect((await create('127.0.0.1:5433')).status, 'an address of the allowlist').toBe(201);
});

describe('the proof of a domain', () => {
  it('is a token in one of two places, checked on request', async () => {
    const { admin, path } = people;
    const { port } = site.address() as AddressInfo;
    const { source } = await draft(people, { kind: 'website', host: `http://127.0.0.1:${port}/` });
    const at = `${path}/sources/${source.id}`;
    expect((await admin.post(`${at}/domain-proof`)).json.error_code).toBe('source_is_draft');
    await admin.post(`${at}/risk-accept`, { statement_version });
    await admin.post(`${at}/authorize-scan`);
    expect((await admin.post(`${at}/domain-proof/check`)).status, 'before a token was requested').toBe(404);
    const { proof } = (await admin.post(`${at}/domain-proof`)).json;
    expect(proof).toMatchObject({
      record: { name: '_parapet-challenge.127.0.0.1', type: 'TXT' },
      url: `http://127.0.0.1:${port}/.well-known/parapet-challenge.txt`,
      proven_by: null,
    });
    expect((await admin.post(`${at}/domain-proof`)).json.proof.token).toBe(proof.token);
    published = 'another token';
    expect((await admin.post(`${at}/domain-proof/check`)).json.found).toBe(false);
    const full = () => admin.post(`${path}/scans/full`, { source_id: source.id });
    expect((await full()).json.error_code).toBe('domain_not_proven');
    published = proof.token;
    const checked = (await admin.post(`${at}/domain-proof/check`)).json;
    expect(checked).toMatchObject({ found: true, proof: { proven_by: 'well_known_file' } });
    const days = (Date.parse(checked.proof.valid_until) - Date.parse(checked.proof.proven_at)) / 86_400_000;
    expect(days).toBe(30);
    expect((await full()).json.scan.profile).toBe('full_active');
    published = '';
  });

  it('fails if the guard does not allow the host, and does not exist for databases', async () => {
    const { admin, path } = people;
    const { source } = await draft(people, { kind: 'website', host: 'http://127.0.0.1/' });
    const at = `${path}/sources/${source.id}`;
    await admin.post(`${at}/risk-accept`, { statement_version });
    await admin.post(`${at}/domain-proof`);
    expect((await admin.post(`${at}/domain-proof/check`)).json.found).toBe(false);
    const unfit = (await draft(people, { kind: 'website', host: 'a.b' })).source;
    // As stored by an older version.
    await asOwner(service.database.connection, db =>
      db.query("update sources set host = 'a..b' where id = $1", [unfit.id]),
    );
    expect((await detail(people, unfit.id)).domain_proof).toBeNull();
    const database = (await draft(people, { kind: 'postgres', host: 'db.example' })).source;
    expect((await admin.post(`${path}/sources/${database.id}/domain-proof`)).status).toBe(404);
    expect((await detail(people, database.id)).domain_proof).toBeNull();
  });
});

describe('systems', () => {
  it('are created approved by people, renamed, and approved if created by a key', async () => {
    const { admin, member, path } = people;
    const organizationId = path.split('/')[2]!;
    const systems = async () => (await member.get(`${path}/systems`)).json.systems;
    expect(await systems()).toMatchObject([{ name: 'Shop', approved: true, score: null, sources: 0 }]);
    const id = people.systemId;
    const changed = { name: 'Store', environment: 'staging', kind: 'api' };
    expect((await admin.request('PUT', `${path}/systems/${id}`, changed)).json.system).toMatchObject(changed);
    expect((await admin.request('PUT', `${path}/systems/${id}`, { name: '' })).status).toBe(400);
    const [made] = await service.storage
      .tenant(organizationId, { kind: 'key', id: 'k' })
      .transaction(transaction =>
        transaction.query<{ id: string }>({
          text: `insert into systems (name, environment, kind) values ('By a key', 'test', 'site') returning id`,
        }),
      );
    const approve = () => admin.post(`${path}/systems/${made!.id}/approve`);
    expect((await approve()).json.system.approved).toBe(true);
    expect((await approve()).status, 'again').toBe(200);
    expect((await member.get(`${path}/systems?search=KEY`)).json.systems).toHaveLength(1);
    const audited = await service.storage
      .tenant(organizationId, { kind: 'service', id: 't' })
      .queryOnce<{ action: string }>({
        text: `select action from audit_entries where object_kind = 'system' order by sequence`,
      });
    expect(audited.map(({ action }) => action)).toEqual([
      'system.created',
      'system.approved',
      'system.changed',
      'system.approved',
    ]);
  });

  it('accepts an external id once', async () => {
    const { admin, path } = people;
    const input = { name: 'A', environment: 'test', kind: 'api', external_id: 'x-1' };
    expect((await admin.post(`${path}/systems`, input)).status).toBe(201);
    expect((await admin.post(`${path}/systems`, input)).json.error_code).toBe('external_id_taken');
  });
});
