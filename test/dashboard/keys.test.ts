import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFixture } from '../api/routes.ts';
import { totpCode } from '../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner, pastTriggers } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';
import { storedText } from '../support/stored-text.ts';

let service: TestService;
let other: TestNode;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
});
afterAll(() => service?.close());

async function admin(steppedUp = true) {
  const { organizationId, systemId } = await createFixture(service);
  const person = await addPerson(service, organizationId, 'admin', { steppedUp });
  return { person, systemId, organizationId, path: `/organizations/${organizationId}/keys` };
}

const mint = (person: TestPerson, path: string, body: object) =>
  person.client.post(path, { name: 'CI', kind: 'dashboard', ...body });

it('mints a key after a step-up on this session, and it signs calls on every node', async () => {
  const { person, path } = await admin(false);
  expect((await mint(person, path, {})).json.error_code).toBe('step_up_required');
  const code = await totpCode(person.totpSecret!);
  expect((await person.client.post('/second-factor', { type: 'totp', code })).status).toBe(200);
  const replayed = await person.client.post('/second-factor', { type: 'totp', code });
  expect(replayed.json.error_code, 'the same code again').toBe('second_factor_failed');
  const { status, json } = await mint(person, path, { privileged: true });
  expect(status).toBe(201);
  expect(json.key).toMatchObject({ name: 'CI', kind: 'dashboard', status: 'active', system_id: null });
  expect(json.key.scopes).toContain('sources:privileged');
  for (const url of [service.url, other.url]) {
    expect((await call(url, json, 'GET', '/api/v1/systems')).status).toBe(200);
  }
});

it('does not take a step-up of another session for one of this', async () => {
  const { person, path, organizationId } = await admin(true);
  const twin = await addPerson(service, organizationId, 'admin', { steppedUp: false });
  // A second browser of the same person, signed in with both factors.
  await asOwner(service.database.connection, client =>
    client.query('update sessions set person_id = $1 where person_id = $2', [person.id, twin.id]),
  );
  expect((await mint(twin, path, {})).json.error_code).toBe('step_up_required');
  expect((await mint(person, path, {})).status).toBe(201);
});

it('binds a probe key to a system of the organization, with nothing but ingest', async () => {
  const { person, path, systemId } = await admin();
  const { json } = await mint(person, path, { kind: 'probe', system_id: systemId });
  expect(json.key).toMatchObject({ kind: 'probe', system_id: systemId, scopes: ['ingest'] });
  const refused = async (body: object) => (await mint(person, path, body)).json.fields?.[0]?.path;
  expect(await refused({ kind: 'probe' })).toBe('system_id');
  expect(await refused({ kind: 'probe', system_id: systemId, privileged: true })).toBe('privileged');
  expect(await refused({ system_id: systemId })).toBe('system_id');
  const plain = await mint(person, path, {});
  expect(plain.json.key.scopes).not.toContain('sources:privileged');
});

it('shows the three values once, and keeps and logs none of them', async () => {
  const { person, path } = await admin();
  const { json } = await mint(person, path, {});
  const list = await person.client.get(path);
  const stored = await storedText(service.database.connection, ['api_keys', 'audit_entries', 'sessions']);
  for (const secret of [json.token, json.signing_key]) {
    for (const text of [list.text, stored, service.log.join()]) expect(text).not.toContain(secret);
  }
});

it('revokes for good and moves an expiry earlier only, at once for every node', async () => {
  const { person, path } = await admin();
  const one = (await mint(person, path, {})).json;
  const keyPath = `${path}/${one.token_id}`;
  const at = (seconds: number) => ({
    at: new Date(Date.now() + seconds * 1000).toISOString().replace('Z', '+00:00'),
  });
  expect((await person.client.post(`${keyPath}/expire`, at(3600))).json.key.status).toBe('active');
  expect((await person.client.post(`${keyPath}/expire`, at(7200))).json.error_code).toBe(
    'expiry_not_earlier',
  );
  expect((await person.client.post(`${keyPath}/expire`, { at: 'soon' })).json.fields[0].path).toBe('at');
  expect((await call(other.url, one, 'GET', '/api/v1/systems')).status).toBe(200);
  expect((await person.client.post(`${keyPath}/revoke`)).json.key.status).toBe('revoked');
  expect((await call(other.url, one, 'GET', '/api/v1/systems')).status).toBe(401);
  expect((await person.client.post(`${keyPath}/revoke`)).json.error_code).toBe('key_not_active');
  expect((await person.client.post(`${keyPath}/expire`, at(60))).json.error_code).toBe('key_not_active');
});

it('is in the audit log with who did it, and from where', async () => {
  const { person, path } = await admin();
  const { json } = await person.client.post(
    path,
    { name: 'SIEM', kind: 'dashboard' },
    { 'x-forwarded-for': '203.0.113.77' },
  );
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      'select actor_kind, actor_id, action, address, detail from audit_entries where object_id = $1',
      [json.token_id],
    ),
  );
  expect(rows).toEqual([
    {
      actor_kind: 'person',
      actor_id: person.id,
      action: 'key.minted',
      address: '203.0.113.77',
      detail: expect.objectContaining({ name: 'SIEM', kind: 'dashboard' }),
    },
  ]);
  expect(await service.storage.system.brokenAuditChains()).toEqual([]);
  await pastTriggers(service.database.connection, client =>
    client.query("update audit_entries set address = '198.51.100.1' where object_id = $1", [json.token_id]),
  );
  const broken = await service.storage.system.brokenAuditChains();
  expect(broken.map(({ problem }) => problem)).toEqual(['altered']);
});
