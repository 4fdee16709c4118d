import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, DashboardClient } from '../support/dashboard-client.ts';
import { untilWaiting, whileReadsWait } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { storedText } from '../support/stored-text.ts';
import {
  createDashboardFixture,
  type DashboardFixture,
  type DashboardRoute,
  dashboardRoutes,
} from './routes.ts';

let service: TestService;
let second: TestNode;
beforeAll(async () => {
  service = await startService();
  second = await service.addNode();
});
afterAll(() => service?.close());

/** Routes that create something: all of them accept an `Idempotency-Key`. */
const creating = dashboardRoutes.filter(
  ({ method, status, pattern }) =>
    method === 'POST' &&
    (status === 201 || status === 202) &&
    pattern.startsWith('/organizations/:organization'),
);

const everything = (fixture: DashboardFixture) =>
  service.storage
    .tenant(fixture.organizationId, { kind: 'service', id: 'test' })
    .queryOnce<{ objects: number }>({
      text: `select (select count(*) from systems) + (select count(*) from sources) + (select count(*) from scans)
        + (select count(*) from api_keys) + (select count(*) from evidence) + (select count(*) from finding_views)
        + (select count(*) from control_attestations) + (select count(*) from control_notes)
        + (select count(*) from audit_entries) as objects`,
    });

describe.each(creating.map(route => [route.pattern, route] as const))('POST %s', (_name, route) => {
  it('runs once for one key, on every node, and returns the first response again', async () => {
    const fixture = await createDashboardFixture(service);
    const { client } = fixture.owner;
    const ask = (key: string, through: DashboardClient = client) => send(through, route, fixture, key);
    const key = randomUUID();
    const atOnce = await Promise.all([ask(key), ask(key, client.at(second.url)), ask(key)]);
    const before = await everything(fixture);
    const later = await ask(key, client.at(second.url));
    for (const answer of [...atOnce, later]) {
      expect([answer.status, answer.text], answer.text).toEqual([route.status, atOnce[0]!.text]);
    }
    expect(await everything(fixture)).toEqual(before);
  });
});

it('covers keys, systems, sources, people, scans, views and evidence', () => {
  const patterns = creating.map(({ pattern }) => pattern.split('/')[3]);
  for (const area of ['keys', 'systems', 'sources', 'scans', 'views', 'evidence', 'controls'])
    expect(patterns).toContain(area);
});

it('runs each request without a key', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const path = `/organizations/${organizationId}/systems`;
  const body = { name: 'Twice', environment: 'test', kind: 'api' };
  const ids = [await owner.client.post(path, body), await owner.client.post(path, body)].map(
    ({ json }) => json.system.id,
  );
  expect(new Set(ids).size).toBe(2);
});

it('separates keys of people, refuses another request under a key, and a key that is not a UUID', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const colleague = await addPerson(service, organizationId, 'admin', { steppedUp: true });
  const path = `/organizations/${organizationId}/systems`;
  const body = { name: 'A', environment: 'test', kind: 'api' };
  const key: string = randomUUID();
  const create = (client: DashboardClient, name = 'A', by = key) =>
    client.post(path, { ...body, name }, { 'idempotency-key': by });
  const first = await create(owner.client);
  const theirs = await create(colleague.client);
  expect([first.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.json.system.id).not.toBe(first.json.system.id);
  const again = await create(colleague.client);
  expect([again.status, again.text]).toEqual([201, theirs.text]);
  const different = await create(owner.client, 'B');
  expect([different.status, different.json.error_code]).toEqual([422, 'idempotency_key_mismatch']);
  for (const by of ['x', '1'.repeat(36), '']) {
    const refused = await create(owner.client, 'A', by);
    expect([refused.status, refused.json.fields?.[0]?.path], by).toEqual([400, 'Idempotency-Key']);
  }
});

it('distinguishes files of the same name and size by their bytes', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const key = randomUUID();
  const upload = (text: string) =>
    owner.client.request('POST', `/organizations/${organizationId}/evidence/files?name=a.txt`, text, {
      'content-type': 'application/octet-stream',
      'idempotency-key': key,
    });
  const first = await upload('January');
  expect(first.status, first.text).toBe(201);
  expect(await upload('January')).toMatchObject({ status: 201, text: first.text });
  const other = await upload('Octobre');
  expect([other.status, other.json.error_code]).toEqual([422, 'idempotency_key_mismatch']);
});

it('does not repeat what a node did before it stopped without storing the response', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const path = `/organizations/${organizationId}/systems`;
  const headers = { 'idempotency-key': randomUUID() };
  const create = () => owner.client.post(path, { name: 'A', environment: 'test', kind: 'api' }, headers);
  expect((await create()).status).toBe(201);
  await asOwner(service.database.connection, client =>
    client.query('update idempotent_requests set status = null, answer = null where organization_id = $1', [
      organizationId,
    ]),
  );
  const again = await create();
  expect([again.status, again.json.error_code]).toEqual([409, 'already_done']);
  const { json } = await owner.client.get(path);
  expect(json.systems.filter(({ name }: { name: string }) => name === 'A')).toHaveLength(1);
});

it('answers a change at once while its person has slow reads open', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const findings = `/organizations/${organizationId}/findings`;
  const body = { name: 'A', environment: 'test', kind: 'api' };
  const reads: Promise<Answer>[] = [];
  await whileReadsWait(service.database.connection, 'findings', async () => {
    reads.push(owner.client.get(findings), owner.client.get(findings));
    await untilWaiting(service.database.connection, 2);
    const headers = { 'idempotency-key': randomUUID() };
    const created = await owner.client.post(`/organizations/${organizationId}/systems`, body, headers);
    expect(created.status).toBe(201);
  });
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200]);
});

it('frees the key of a request that was refused', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const path = `/organizations/${organizationId}/systems`;
  const body = { name: 'A', environment: 'test', kind: 'api', external_id: 'erp-1' };
  expect((await owner.client.post(path, body)).status).toBe(201);
  const headers = { 'idempotency-key': randomUUID() };
  expect((await owner.client.post(path, body, headers)).json.error_code).toBe('external_id_taken');
  expect((await owner.client.post(path, { ...body, external_id: 'erp-2' }, headers)).status).toBe(201);
});

it('stores a response with the secrets of a new key encrypted, and only a hash of the encryption key', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const key: string = randomUUID();
  const { json } = await owner.client.post(
    `/organizations/${organizationId}/keys`,
    { name: 'CI', kind: 'dashboard' },
    { 'idempotency-key': key },
  );
  const stored = await storedText(service.database.connection, ['idempotent_requests']);
  expect(stored.length).toBeGreaterThan(100);
  for (const secret of [json.token, json.signing_key, key]) {
    for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(stored).not.toContain(form);
  }
});

it('deletes the response to a request after an hour, and not before', async () => {
  const { owner, organizationId } = await createDashboardFixture(service);
  const path = `/organizations/${organizationId}/systems`;
  const key: string = randomUUID();
  const create = async () => {
    const body = { name: 'A', environment: 'test', kind: 'api' };
    return (await owner.client.post(path, body, { 'idempotency-key': key })).json.system.id;
  };
  const first = await create();
  const after = async (minutes: number) => {
    await asOwner(service.database.connection, client =>
      client.query(
        'update idempotent_requests set created_at = now() - make_interval(mins => $2) where organization_id = $1',
        [organizationId, minutes],
      ),
    );
    await service.storage.sweep();
    return create();
  };
  expect(await after(59)).toBe(first);
  expect(await after(61)).not.toBe(first);
});

function send(client: DashboardClient, route: DashboardRoute, fixture: DashboardFixture, key: string) {
  const id = route.id?.(fixture) ?? '';
  const path = route.pattern
    .replace(':organization', fixture.organizationId)
    .replace(':id', id)
    .replace(':control', '164.312(b)');
  const type = route.bytes === undefined ? {} : { 'content-type': 'application/octet-stream' };
  return client.request(
    'POST',
    `${path}${route.query ? `?${route.query}` : ''}`,
    route.bytes ?? bodyOf(route, fixture),
    { 'idempotency-key': key, ...type },
  );
}

/** One body for all attempts, since some contain random values. */
const bodies = new WeakMap<DashboardFixture, Map<DashboardRoute, object>>();
function bodyOf(route: DashboardRoute, fixture: DashboardFixture): object {
  const ofFixture = bodies.get(fixture) ?? new Map<DashboardRoute, object>();
  bodies.set(fixture, ofFixture);
  const body = ofFixture.get(route) ?? route.body?.(fixture) ?? {};
  ofFixture.set(route, body);
  return body;
}
