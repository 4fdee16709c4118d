import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { solve } from '../support/proof-of-work.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

it('prevents flooding the audit log: changes are limited by person in organizations, and by session for accounts', async () => {
  const organizationId = await service.createOrganization();
  const [member, other] = [
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
  ];
  const path = `/organizations/${organizationId}/views`;
  const view = { name: 'Mine', filters: {}, shared: false };
  const { json } = await member.client.post(path, view);
  const change = () => member.client.request('PUT', `${path}/${json.view.id}`, view);
  for (let index = 1; index < 270; index++) expect((await change()).status).toBe(200);
  const many = await Promise.all(Array.from({ length: 40 }, change));
  expect(
    many.filter(({ status }) => status === 200),
    'all at once',
  ).toHaveLength(30);
  const refused = await change();
  expect(refused).toMatchObject({ status: 429, json: { error_code: 'too_many_changes' } });
  expect(refused.json.retry_after_seconds).toBeLessThanOrEqual(60);
  expect((await member.client.get(path)).status).toBe(200);
  expect((await other.client.post(path, view)).status).toBe(201);
  // Refused requests were read, so they count too.
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    const bad = Array.from({ length: 31 }, () => other.client.post(path, { name: 7 }));
    statuses.push(...(await Promise.all(bad)).map(({ status }) => status));
  }
  expect(statuses.filter(status => status === 400)).toHaveLength(299);
  expect(statuses.filter(status => status === 429)).toHaveLength(11);

  const rename = (client: DashboardClient) => client.request('PATCH', '/account', { name: 'Member' });
  const renamed = await Promise.all(Array.from({ length: 40 }, () => rename(member.client)));
  expect(renamed.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(renamed.filter(({ json }) => json.error_code === 'too_many_changes')).toHaveLength(10);
  expect((await member.client.post('/account/sessions/end-others')).status).toBe(429);
  const signedInAgain = async () => {
    const client = new DashboardClient(service.url);
    await client.post('/sign-in', { email: member.email, password: member.password });
    return client;
  };
  const elsewhere = await signedInAgain();
  const ended = await elsewhere.post('/account/sessions/end-others');
  expect(ended.json, 'another session of the same person').toEqual({ ended: 1 });
  const lastEntry = () =>
    asOwner(service.database.connection, async client => {
      const { rows } = await client.query('select max(sequence)::int as last from audit_entries');
      return rows[0].last;
    });
  const before = await lastEntry();
  expect((await elsewhere.post('/account/sessions/end-others')).json).toEqual({ ended: 0 });
  expect(await lastEntry(), 'nothing has changed').toBe(before);

  // Sessions of one person share the limit.
  const statusesOf = async (client: DashboardClient) =>
    Promise.all(Array.from({ length: 30 }, async () => (await rename(client)).status));
  const renames: number[] = [];
  for (let index = 0; index < 10; index++) renames.push(...(await statusesOf(await signedInAgain())));
  expect(renames.filter(status => status === 200)).toHaveLength(300 - 32);
  await Promise.all(Array.from({ length: 40 }, () => elsewhere.post('/account/sessions/end-others')));
  expect((await elsewhere.post('/sign-out')).status, 'always').toBe(200);
});

it('refuses requests beyond those that a session may send at once while the others wait to be counted', async () => {
  const organizationId = await service.createOrganization();
  const { client, id } = await addPerson(service, organizationId, 'member');
  const path = `/organizations/${organizationId}/views`;
  const view = { name: 'Mine', filters: {}, shared: false };
  const { json } = await client.post(path, view);
  const statuses: number[] = [];
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from change_counts where holder = $1 for update', [`in organizations ${id}`]);
    const sent = Array.from({ length: 60 }, async () => {
      const { status } = await client.request('PUT', `${path}/${json.view.id}`, view);
      statuses.push(status);
    });
    await poll('the refused ones', async () => statuses.length >= 10 || undefined);
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 503));
    await holder.query('commit');
    await Promise.all(sent);
  });
  expect(statuses.filter(status => status === 200)).toHaveLength(50);
});

it('counts triage by the number of findings, per person and per organization', async () => {
  const organizationId = await service.createOrganization();
  const [one, other, third] = await Promise.all(
    [1, 2, 3].map(async () => (await addPerson(service, organizationId, 'admin')).client),
  );
  const decision = { decision: 'false_positive', reason: 'r' };
  const decide = async (client: DashboardClient, path: string, findings: number) => {
    const ids = Array.from({ length: findings }, () => randomUUID());
    return client.post(`/organizations/${path}/findings/triage`, { ids, decision });
  };
  // Missing findings count before anything is written, like existing ones.
  for (let time = 0; time < 20; time++) expect((await decide(one!, organizationId, 500)).status).toBe(404);
  const refused = await decide(one!, organizationId, 1);
  expect(refused).toMatchObject({ status: 429, json: { error_code: 'too_many_changes' } });
  expect(refused.json.retry_after_seconds).toBeGreaterThan(60);
  for (let time = 0; time < 20; time++) expect((await decide(other!, organizationId, 500)).status).toBe(404);
  expect((await decide(third!, organizationId, 1)).status, 'the organization’s').toBe(429);
  const elsewhere = await service.createOrganization();
  const { client } = await addPerson(service, elsewhere, 'admin');
  expect((await decide(client, elsewhere, 500)).status).toBe(404);
});

it.each([
  ['assign', { owner_id: null }, 20],
  ['comments', { body: 'A comment' }, 4],
])('counts %s by the number of findings, per person', async (route, body, times) => {
  const organizationId = await service.createOrganization();
  const { client } = await addPerson(service, organizationId, 'admin');
  const send = (findings: number) => {
    const ids = Array.from({ length: findings }, () => randomUUID());
    return client.post(`/organizations/${organizationId}/findings/${route}`, { ids, ...body });
  };
  for (let time = 0; time < times; time++) expect((await send(500)).status).toBe(404);
  expect(await send(1)).toMatchObject({ status: 429, json: { error_code: 'too_many_changes' } });
});

it('slows successful sign-ins of one person in great number, except for known browsers and with a proof of work', async () => {
  const { email, password } = await addPerson(service, await service.createOrganization(), 'member');
  const signIn = (client: DashboardClient, more = {}) =>
    client.post('/sign-in', { email, password, ...more });
  const home = new DashboardClient(service.url);
  const from = { 'x-forwarded-for': '198.51.100.77' };
  const elsewhere = (more = {}) =>
    new DashboardClient(service.url).post('/sign-in', { email, password, ...more }, from);
  expect((await signIn(home)).status).toBe(200);
  for (let index = 0; index < 60; index++) expect((await elsewhere()).status).toBe(200);
  const more = await Promise.all(Array.from({ length: 12 }, () => elsewhere()));
  const refused = more.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(6);
  expect(refused[0]!.json).toMatchObject({ error_code: 'too_many_attempts', retry_after_seconds: 1 });
  const { challenge, bits } = refused[0]!.json.proof_of_work;
  const solution = solve(challenge, bits);
  expect((await signIn(home)).status, 'a known browser').toBe(200);
  expect((await elsewhere({ proof_of_work: { challenge, solution } })).status, 'work').toBe(200);
});

it('counts a change whose client closes the connection before the response', async () => {
  const organizationId = await service.createOrganization();
  const { client } = await addPerson(service, organizationId, 'member');
  const path = `/organizations/${organizationId}/views`;
  const view = { name: 'Mine', filters: {}, shared: false };
  const { json } = await client.post(path, view);
  const body = JSON.stringify(view);
  const hangUp = () =>
    new Promise(resolve => {
      const outgoing = request(`${service.url}/dashboard/api${path}/${json.view.id}`, {
        method: 'PUT',
        headers: {
          origin: service.url,
          'x-csrf-token': client.csrf!,
          cookie: client.cookie!,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      });
      outgoing.on('error', resolve).on('close', resolve);
      outgoing.end(body, () => outgoing.destroy());
    });
  // Some connections close before the service has seen the request, so few of the changes poll.
  let status = 0;
  for (let times = 0; times < 20 && status !== 429; times++) {
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, hangUp));
    ({ status } = await client.request('PUT', `${path}/${json.view.id}`, view));
  }
  expect(status).toBe(429);
});

it('counts exports, which are in the audit log too', async () => {
  const organizationId = await service.createOrganization();
  const { client } = await addPerson(service, organizationId, 'member', { steppedUp: true });
  const statuses: number[] = [];
  // Sequentially, since too many at once are refused for another reason.
  for (let time = 0; time < 310; time++) {
    const { status } = await client.get(`/organizations/${organizationId}/findings/export?format=csv`);
    statuses.push(status);
  }
  expect(statuses.filter(status => status === 200)).toHaveLength(300);
  expect(statuses.filter(status => status === 429)).toHaveLength(10);
});
