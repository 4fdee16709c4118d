import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMigrations } from '../../src/database/migrations.ts';
import { decidedRisks } from '../../src/resources/audit-pack/risks.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { uploadHeaders } from '../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let owner: TestPerson;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  owner = await addPerson(service, fixture.organizationId, 'owner');
});
afterAll(() => service?.close());

const rename = async ({ client }: TestPerson, name: string) =>
  expect((await client.request('PATCH', '/account', { name })).status).toBe(200);
const remove = async ({ id }: TestPerson) =>
  expect((await owner.client.delete(`/organizations/${fixture.organizationId}/people/${id}`)).status).toBe(
    200,
  );

/** Creates one of every record with a person's name. */
async function leaveRecords({ client }: TestPerson): Promise<void> {
  const base = `/organizations/${fixture.organizationId}`;
  const control = `${base}/controls/164.312(b)`;
  const valid_until = new Date(Date.now() + 86_400_000).toISOString();
  const attested = await client.post(`${control}/attestations`, {
    statement: 'Logs are reviewed.',
    valid_until,
  });
  const answers = [
    attested,
    await client.post(`${control}/attestations/${attested.json.attestation.id}/withdraw`, {
      reason: 'Wrong.',
    }),
    await client.post(`${control}/note`, { note: 'See policy 7.' }),
    await client.post(`${base}/findings/triage`, {
      ids: [fixture.findingId],
      decision: { decision: 'false_positive', reason: 'A test system.' },
    }),
    await client.post(`${base}/views`, { name: 'Old', filters: {}, shared: true }),
  ];
  expect(answers.map(({ status, text }) => `${status} ${status < 300 ? '' : text}`)).toEqual([
    '201 ',
    '200 ',
    '200 ',
    '200 ',
    '201 ',
  ]);
  const uploaded = await fetch(`${service.url}/dashboard/api${base}/evidence/files?name=review.txt`, {
    method: 'POST',
    headers: uploadHeaders(client),
    body: 'reviewed',
  });
  expect(uploaded.status).toBe(201);
}

/** Every name of a person in the organization's records, except its owner. */
async function namesInRecords({ id }: TestPerson): Promise<Record<string, string[]>> {
  const base = `/organizations/${fixture.organizationId}`;
  const read = async (path: string) => (await owner.client.get(base + path)).json;
  const control = await read('/controls/164.312(b)');
  const store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
  const risks = await store.read(session => decidedRisks(session, [fixture.findingId]));
  const { entries } = await read('/audit');
  type Named = { id: string; name: string };
  const inLog = (entries as { actor: Named; object: Named }[])
    .flatMap(({ actor, object }) => [actor, object])
    .filter(one => one.id === id);
  const csv = (await owner.client.get(`${base}/audit/export?format=csv`)).text;
  const ofCsv = csv
    .split('\n')
    .filter(line => line.includes(id))
    .map(line => /Mallory|Alice/.exec(line)?.[0]);
  // biome-ignore lint/suspicious/noExplicitAny: of every shape
  const unique = (names: any[]) => [...new Set(names)].sort();
  return {
    // biome-ignore lint/suspicious/noExplicitAny: of every shape
    attestations: unique(control.attestations.flatMap((one: any) => [one.attested_by, one.withdrawn_by])),
    notes: unique(control.notes.map((one: { written_by: string }) => one.written_by)),
    evidence: unique((await read('/evidence')).evidence.map((one: { created_by: string }) => one.created_by)),
    decisions: unique(
      (await read(`/findings/${fixture.findingId}`)).finding.decisions.map((one: { by: string }) => one.by),
    ),
    risks: unique(risks.map(({ decided_by }) => decided_by)),
    views: unique((await read('/views')).views.map((one: { by: string }) => one.by)),
    log: unique(inLog.map(({ name }) => name)),
    csv: unique(ofCsv),
  };
}

const allOf = (name: string) =>
  Object.fromEntries(
    ['attestations', 'notes', 'evidence', 'decisions', 'risks', 'views', 'log', 'csv'].map(kind => [
      kind,
      [name],
    ]),
  );

it('keeps the name of a person who left in the organization’s records', async () => {
  const person = await addPerson(service, fixture.organizationId, 'admin');
  await leaveRecords(person);
  await rename(person, 'Mallory');
  expect(await namesInRecords(person), 'while they are a member').toEqual(allOf('Mallory'));
  await remove(person);
  await rename(person, 'Alice');
  expect(await namesInRecords(person)).toEqual(allOf('Mallory'));

  const path = `/organizations/${fixture.organizationId}`;
  const invited = await owner.client.post(`${path}/invitations`, { email: person.email, role: 'member' });
  const token = invited.json.url.split('#token=')[1];
  expect((await person.client.post('/invitations/accept', { token })).status).toBe(200);
  const [newest] = (await owner.client.get(`${path}/audit`)).json.entries;
  expect(newest, 'after returning with another name').toMatchObject({
    action: 'person.renamed',
    detail: { from: 'Mallory', to: 'Alice' },
  });
  await remove(person);

  const upgraded = (await readMigrations()).find(({ name }) => name.endsWith('former_names'))!;
  await asOwner(service.database.connection, async client => {
    await client.query('drop trigger keep_former_name on memberships; drop function keep_former_name');
    await client.query('alter table memberships drop column former_name');
    await client.query(upgraded.sql);
  });
  await rename(person, 'Eve');
  expect((await namesInRecords(person)).attestations, 'from the upgrade on').toEqual(['Alice']);
});
