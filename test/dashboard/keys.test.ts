import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFixture } from '../api/routes.ts';
import { totpCode } from '../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner, pastTriggers } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { call, send, signRequest } from '../support/signing-client.ts';
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

const dashboardScopes = ['findings:read', 'ingest', 'scans:write', 'sources:write'];

const mint = (person: TestPerson, path: string, body: object) =>
  person.client.post(path, { name: 'CI', kind: 'dashboard', ...body });

it('creates a key after a step-up on this session, and it signs calls on every node (spec 2, 3)', async () => {
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

it('does not accept a step-up of another session (spec 2)', async () => {
  const { person, path, organizationId } = await admin(true);
  const twin = await addPerson(service, organizationId, 'admin', { steppedUp: false });
  // The same person in a second browser, signed in with both factors.
  await asOwner(service.database.connection, client =>
    client.query('update sessions set person_id = $1 where person_id = $2', [person.id, twin.id]),
  );
  expect((await mint(twin, path, {})).json.error_code).toBe('step_up_required');
  expect((await mint(person, path, {})).status).toBe(201);
});

it('binds a probe key to a system of the organization, with the ingest scope only (spec 2, 5)', async () => {
  const { person, path, systemId } = await admin();
  const { json } = await mint(person, path, { kind: 'probe', system_id: systemId });
  expect(json.key).toMatchObject({ kind: 'probe', system_id: systemId, scopes: ['ingest'] });
  const refused = async (body: object) => (await mint(person, path, body)).json.fields?.[0]?.path;
  expect(await refused({ kind: 'probe' })).toBe('system_id');
  expect(await refused({ kind: 'probe', system_id: systemId, privileged: true })).toBe('privileged');
  expect(await refused({ system_id: systemId })).toBe('system_id');
  const plain = await mint(person, path, {});
  expect(plain.json.key.scopes.sort()).toEqual(dashboardScopes);
  const privileged = await mint(person, path, { privileged: true });
  expect(privileged.json.key.scopes.sort()).toEqual([...dashboardScopes, 'sources:privileged'].sort());
});

it('expires a key a year after its creation (spec 2, 5, 8)', async () => {
  const { person, path, systemId } = await admin();
  for (const body of [{ kind: 'probe', system_id: systemId }, {}]) {
    const { key } = (await mint(person, path, body)).json;
    const days = (Date.parse(key.expires_at) - Date.parse(key.created_at)) / 86_400_000;
    expect(days, key.kind).toBeCloseTo(365, 3);
  }
});

it('creates the three values in their formats, and stores a hash and a public key of them (spec 2, 5)', async () => {
  const { person, path, systemId } = await admin();
  for (const [body, prefix] of [
    [{}, 'svc_live_'],
    [{ kind: 'probe', system_id: systemId }, 'svc_probe_'],
  ] as const) {
    const { json } = await mint(person, path, body);
    expect(json.token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]+$`));
    expect(json.token_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(json.signing_key).toMatch(/^svc_sign_[A-Za-z0-9_-]{64}$/);
    const der = Buffer.from(json.signing_key.slice('svc_sign_'.length), 'base64url');
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    expect(privateKey.asymmetricKeyType).toBe('ed25519');
    const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
    const { rows } = await asOwner(service.database.connection, client =>
      client.query('select token_hash, public_key from api_keys where id = $1', [json.token_id]),
    );
    expect(rows).toEqual([
      {
        token_hash: createHash('sha256').update(json.token).digest(),
        public_key: Buffer.from(x!, 'base64url'),
      },
    ]);
    expect(rows[0].public_key).toHaveLength(32);
  }
});

it('shows the three values once, and stores and logs none of them (spec 2)', async () => {
  const { person, path } = await admin();
  const { json } = await mint(person, path, {});
  const list = await person.client.get(path);
  const stored = await storedText(service.database.connection, ['api_keys', 'audit_entries', 'sessions']);
  for (const secret of [json.token, json.signing_key]) {
    for (const text of [list.text, stored, service.log.join()]) expect(text).not.toContain(secret);
  }
});

it('binds a key to normalized addresses, and it signs calls from there only', async () => {
  const { person, path } = await admin();
  const allowed_addresses = [' 203.0.113.0/24', '2001:DB8:0::/32', '198.51.100.7/32', '203.0.113.0/024'];
  const written = [
    '203.0.113.0/24',
    '2001:db8::/32',
    '198.51.100.7',
    '192.0.2.0/24',
    'fe80::1',
    '::203.0.114.0/120',
  ];
  const { json } = await mint(person, path, {
    allowed_addresses: [...allowed_addresses, '::ffff:192.0.2.0/120', 'fe80::1%eth0', '::cb00:7200/120'],
  });
  expect(json.key.allowed_addresses).toEqual(written);
  expect((await person.client.get(path)).json.keys[0].allowed_addresses).toEqual(written);
  const audit = await storedText(service.database.connection, ['audit_entries']);
  for (const address of written) expect(audit).toContain(address);
  for (const url of [service.url, other.url]) {
    const status = async (from: string) => {
      const parts = signRequest(json, 'GET', '/api/v1/systems');
      return (await send(url, { ...parts, headers: { ...parts.headers, 'x-forwarded-for': from } })).status;
    };
    for (const from of [
      '203.0.113.9',
      '2001:db8::9',
      '198.51.100.7',
      '192.0.2.1',
      'fe80::1',
      '::203.0.114.9',
    ]) {
      expect(await status(from), from).toBe(200);
    }
    for (const from of ['203.0.114.9', '2001:db9::9', '198.51.100.8', '127.0.0.1', 'fe80::2']) {
      expect(await status(from), from).toBe(401);
    }
  }
});

it('binds a key to no address if none is given', async () => {
  const { person, path } = await admin();
  for (const body of [{}, { allowed_addresses: [] }]) {
    const { json } = await mint(person, path, body);
    expect(json.key.allowed_addresses).toEqual([]);
    expect((await call(service.url, json, 'GET', '/api/v1/systems')).status).toBe(200);
  }
});

it.each([
  [
    '203.0.113.7/24',
    '"203.0.113.7/24" is invalid: bits are set after the prefix. Did you mean 203.0.113.0/24?',
  ],
  [
    '2001:db8::1/32',
    '"2001:db8::1/32" is invalid: bits are set after the prefix. Did you mean 2001:db8::/32?',
  ],
  ['::ffff:192.0.2.1/120', 'bits are set after the prefix'],
  ['::ffff:0:0/90', 'bits are set after the prefix'],
  ['203.0.113.0/33', 'the prefix length must be 0 to 32'],
  ['2001:db8::/129', 'the prefix length must be 0 to 128'],
  ['::ffff:010.0.0.1', 'not an IP address or CIDR'],
  ['10/8', 'not an IP address or CIDR'],
  ['010.0.0.0/8', 'not an IP address or CIDR'],
  ['10.0.0.0/8/8', 'not an IP address or CIDR'],
  ['10.0.0.0/', 'the prefix length must be 0 to 32'],
  ['example.com', 'not an IP address or CIDR'],
])('refuses %s as an allowed address, and creates no key', async (entry, reason) => {
  const { person, path } = await admin();
  const { status, json } = await mint(person, path, { allowed_addresses: ['192.0.2.1', entry] });
  expect(status).toBe(400);
  expect(json.fields).toEqual([{ path: 'allowed_addresses', message: expect.stringContaining(reason) }]);
  expect((await person.client.get(path)).text).not.toContain('"CI"');
});

it('accepts 50 allowed addresses, and no more', async () => {
  const { person, path } = await admin();
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `2001:db8:${index}::/48`);
  const fifty = await mint(person, path, { allowed_addresses: addresses(50) });
  expect(fifty.json.key.allowed_addresses).toHaveLength(50);
  const more = await mint(person, path, { allowed_addresses: addresses(51) });
  expect([more.status, more.json.fields[0].path]).toEqual([400, 'allowed_addresses']);
});

it('revokes permanently and only moves an expiry earlier, at once on every node (spec 2, 3)', async () => {
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

it('is in the audit log with its actor and address', async () => {
  const { person, path } = await admin();
  const { json } = await person.client.post(
    path,
    { name: 'SIEM', kind: 'dashboard' },
    { 'x-forwarded-for': '203.0.113.77' },
  );
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      `select actor_kind, actor_id, action, address, detail from ${recordedEntries} where object_id = $1`,
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
  expect(broken.map(({ problem }) => problem)).toEqual(['entry_altered']);
});

it('limits a dashboard key to the chosen scopes, which each route requires (spec 2)', async () => {
  const { person, path, systemId } = await admin();
  const { json } = await mint(person, path, { scopes: ['scans:write', 'findings:read'] });
  expect(json.key.scopes).toEqual(['findings:read', 'scans:write']);
  expect((await call(service.url, json, 'GET', '/api/v1/systems')).status).toBe(200);
  const system = { name: 'S', environment: 'test', kind: 'site' };
  expect((await call(service.url, json, 'POST', '/api/v1/systems', system)).status).toBe(403);
  const refused = async (body: object) => {
    const answer = await mint(person, path, body);
    return [answer.status, answer.json.fields?.[0]?.path];
  };
  expect(await refused({ scopes: [] })).toEqual([400, 'scopes']);
  expect(await refused({ scopes: ['sources:privileged'] })).toEqual([400, 'scopes.0']);
  expect(await refused({ scopes: ['findings:read'], privileged: true })).toEqual([400, 'privileged']);
  const probe = { kind: 'probe', system_id: systemId };
  expect(await refused({ ...probe, scopes: ['ingest'] })).toEqual([400, 'scopes']);
});

it('expires a key at the chosen time, at most a year from now (spec 2)', async () => {
  const { person, path, systemId } = await admin();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const expires_at = inDays(30);
  for (const body of [{ expires_at }, { expires_at, kind: 'probe', system_id: systemId }]) {
    const { json } = await mint(person, path, body);
    expect(Date.parse(json.key.expires_at)).toBe(Date.parse(expires_at));
  }
  for (const wrong of [inDays(-1), inDays(366)]) {
    const { status, json } = await mint(person, path, { expires_at: wrong });
    expect([status, json.fields]).toEqual([400, [expect.objectContaining({ path: 'expires_at' })]]);
  }
});

const rotate = (person: TestPerson, path: string, id: string, overlap = '7d') =>
  person.client.post(`${path}/${id}/rotate`, { overlap });

it('rotates a key: the new one is alike, and the old one is valid until the overlap ends', async () => {
  const { person, path } = await admin();
  const options = {
    name: 'SIEM',
    scopes: ['findings:read', 'sources:write'],
    privileged: true,
    allowed_addresses: ['127.0.0.0/8'],
    expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  };
  const old = (await mint(person, path, options)).json;
  const { status, json } = await rotate(person, path, old.token_id);
  expect(status).toBe(201);
  const { name, kind, system_id, scopes, allowed_addresses } = old.key;
  expect(json.key).toMatchObject({ name, kind, system_id, scopes, allowed_addresses, status: 'active' });
  expect([json.token, json.signing_key, json.token_id]).not.toEqual([
    old.token,
    old.signing_key,
    old.token_id,
  ]);
  const days = (key: { expires_at: string }) => (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
  expect(days(json.key), 'the lifetime of the old key').toBeCloseTo(90, 2);
  expect(json.replaced.token_id).toBe(old.token_id);
  expect(days(json.replaced)).toBeCloseTo(7, 2);
  for (const url of [service.url, other.url]) {
    for (const key of [old, json]) expect((await call(url, key, 'GET', '/api/v1/systems')).status).toBe(200);
  }
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      `select action, object_id, detail from ${recordedEntries} where object_id = any($1::text[]) order by action, object_id <> ($1::text[])[1]`,
      [[old.token_id, json.token_id]],
    ),
  );
  expect(rows).toEqual([
    expect.objectContaining({ action: 'key.expiry_moved', object_id: old.token_id }),
    expect.objectContaining({ action: 'key.minted', object_id: old.token_id }),
    expect.objectContaining({
      action: 'key.minted',
      object_id: json.token_id,
      detail: expect.objectContaining({ replaces: old.token_id }),
    }),
    expect.objectContaining({
      action: 'key.rotated',
      object_id: old.token_id,
      detail: { replaced_by: json.token_id, overlap: '7d' },
    }),
  ]);
});

it('rotates a probe key within its system, and never moves an expiry later', async () => {
  const { person, path, systemId } = await admin();
  const probe = (await mint(person, path, { kind: 'probe', system_id: systemId })).json;
  const next = (await rotate(person, path, probe.token_id, '1h')).json;
  expect(next.key).toMatchObject({ kind: 'probe', system_id: systemId, scopes: ['ingest'] });
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const ending = (await mint(person, path, { expires_at: soon })).json;
  const { json } = await rotate(person, path, ending.token_id, '30d');
  expect(Date.parse(json.replaced.expires_at)).toBe(Date.parse(soon));
});

it('rotates only active keys, with a known overlap, after a step-up', async () => {
  const { person, path } = await admin();
  // It would end within the overlap anyway.
  const expires_at = new Date(Date.now() + 1_800_000).toISOString();
  const { token_id } = (await mint(person, path, { expires_at })).json;
  expect((await rotate(person, path, token_id, '2d')).json.fields[0].path).toBe('overlap');
  await person.client.post(`${path}/${token_id}/revoke`);
  expect((await rotate(person, path, token_id, '1d')).json.error_code).toBe('key_not_active');
  const stranger = await admin();
  expect((await rotate(stranger.person, stranger.path, token_id)).status).toBe(404);
});
