import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { type Answer, call, send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

let service: TestService;
let second: TestNode;
let fixture: Fixture;
beforeAll(async () => {
  service = await startService();
  second = await service.addNode();
});
afterAll(() => service?.close());

const list = (
  on: TestNode = service,
  headers: Record<string, string> = {},
  path = '/api/v1/systems',
): Promise<Answer> => {
  const parts = signRequest(fixture.key, 'GET', path);
  return send(on.url, { ...parts, headers: { ...parts.headers, ...headers } });
};
const create = (on: TestNode = service) =>
  call(on.url, fixture.key, 'POST', '/api/v1/systems', {
    name: randomUUID(),
    environment: 'test',
    kind: 'api',
  });

it('answers 304 to a poll with the current ETag while nothing has changed (spec 4)', async () => {
  fixture = await createFixture(service);
  const first = await list();
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const unchanged = await list(service, { 'if-none-match': etag });
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
  // Read again and unchanged: a 304 has no fields that describe a body (RFC 9110, section 8.6).
  const other = await list(service, { 'if-none-match': etag }, '/api/v1/systems?limit=100');
  expect([other.status, other.headers.get('content-length')]).toEqual([304, null]);
  expect((await list(second, { 'if-none-match': etag })).status, 'on another node').toBe(304);
  await create();
  const changed = await list(service, { 'if-none-match': etag });
  expect([changed.status, changed.json.systems.length]).toEqual([200, 2]);
});

it('shows a write to the next request, on every node, every time', async () => {
  fixture = await createFixture(service);
  const nodes = [service, second];
  for (let count = 2; count <= 16; count++) {
    expect((await create(nodes[count % 2]!)).status).toBe(201);
    const answers = await Promise.all(nodes.map(node => list(node)));
    expect(answers.map(answer => answer.json.systems.length)).toEqual([count, count]);
  }
});

it('is answered from memory from the third time on, while nothing has changed', async () => {
  fixture = await createFixture(service);
  await list();
  const before = await list();
  // Bypasses the store, so that the version does not advance: this shows that the database was not queried again.
  await asOwner(service.database.connection, client =>
    client.query("update systems set name = 'a direct write' where organization_id = $1", [
      fixture.organizationId,
    ]),
  );
  expect((await list()).text).toBe(before.text);
  await create();
  expect((await list()).text).toContain('a direct write');
});

/** Changes each list as the owner, so that no version advances: only a list that is read again shows it. */
const directWrites = `
  update systems set name = 'past it' where organization_id = $1;
  update sources set name = 'past it' where organization_id = $1;
  update findings set title = 'past it' where organization_id = $1;
  update scans set runs_planned = 777 where organization_id = $1;`;

const insertRun = `insert into scan_runs (scan_id, source_id, detector, status)
  select scans.id, sources.id, 'website.tls', 'queued' from scans, sources`;

it.each([
  ['systems', "update systems set kind = 'api'"],
  ['sources', "update sources set status = 'pending'"],
  ['findings', 'update findings set last_seen_at = now()'],
  ['scans', 'update scans set started_at = now()'],
  ['scans', insertRun],
] as const)('reads only %s again after "%s"', async (subject, change) => {
  fixture = await createFixture(service);
  const lists = ['systems', 'sources', 'findings', 'scans'].map(name => `/api/v1/${name}`);
  const all = [...lists, `/api/v1/findings/${fixture.findingId}`, `/api/v1/scans/${fixture.scanId}`];
  const readAll = async () => {
    const answers = await Promise.all(all.map(path => list(service, {}, path)));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
    return answers.map(({ text }) => text);
  };
  for (let times = 0; times < 2; times++) await readAll();
  await asOwner(service.database.connection, client =>
    client.query(directWrites.replaceAll('$1', `'${fixture.organizationId}'`)),
  );
  const actor = { kind: 'service', id: 'test' } as const;
  const store = service.storage.tenant(fixture.organizationId, actor);
  await store.transaction(session => session.query({ text: change }));
  const texts = await readAll();
  const readAgain = all.filter((_, index) => /past it|"runs_planned":777\b/.test(texts[index]!));
  expect(readAgain).toEqual(all.filter(path => path.startsWith(`/api/v1/${subject}`)));
});

it('keeps responses in memory after statements that change nothing', async () => {
  fixture = await createFixture(service);
  const before = await versions();
  const actor = { kind: 'service', id: 'test' } as const;
  await service.storage
    .tenant(fixture.organizationId, actor)
    .transaction(session => session.query({ text: "update sources set status = 'pending' where false" }));
  expect(await versions()).toEqual(before);
});

async function versions(): Promise<object[]> {
  return asOwner(service.database.connection, async client => {
    const text = 'select subject, version from data_versions where organization_id = $1 order by subject';
    return (await client.query(text, [fixture.organizationId])).rows;
  });
}

it('keeps organizations, scopes and filters separate, and does not cache errors', async () => {
  const one = await createFixture(service);
  const other = await createFixture(service);
  for (const current of [one, other, one]) {
    fixture = current;
    expect((await list()).json.systems.map((system: { id: string }) => system.id)).toEqual([
      current.systemId,
    ]);
  }
  expect((await list(service, {}, '/api/v1/systems?limit=1&bogus=1')).status).toBe(400);
  const lacking = await service.mint(fixture.organizationId, { scopes: ['ingest'] });
  expect((await call(service.url, lacking, 'GET', '/api/v1/systems')).status).toBe(403);
});
