import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('lets nobody fill the audit log: changes in organizations are limited, those of the account are not', async () => {
  const organizationId = await service.createOrganization();
  const [member, other] = [
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
  ];
  const path = `/organizations/${organizationId}/views`;
  const view = { name: 'Mine', filters: {}, shared: false };
  const { json } = await member.client.post(path, view);
  const change = () => member.client.request('PUT', `${path}/${json.view.id}`, view);
  for (let index = 1; index < 250; index++) expect((await change()).status).toBe(200);
  const many = await Promise.all(Array.from({ length: 70 }, change));
  expect(
    many.filter(({ status }) => status === 200),
    'all at once',
  ).toHaveLength(50);
  const refused = await change();
  expect(refused).toMatchObject({ status: 429, json: { error_code: 'too_many_changes' } });
  expect(refused.json.retry_after_seconds).toBeLessThanOrEqual(60);
  expect((await member.client.get(path)).status).toBe(200);
  expect((await other.client.post(path, view)).status).toBe(201);
  expect((await member.client.post('/account/sessions/end-others')).status).toBe(200);
});

it('counts a change whose client closes the connection before the answer', async () => {
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
  for (let round = 0; round < 16; round++) await Promise.all(Array.from({ length: 50 }, hangUp));
  expect((await client.request('PUT', `${path}/${json.view.id}`, view)).status).toBe(429);
});

it('counts exports, which are in the audit log too', async () => {
  const organizationId = await service.createOrganization();
  const { client } = await addPerson(service, organizationId, 'member', { steppedUp: true });
  const statuses: number[] = [];
  // One after another: more at once are refused for another reason.
  for (let time = 0; time < 310; time++) {
    const { status } = await client.get(`/organizations/${organizationId}/findings/export?format=csv`);
    statuses.push(status);
  }
  expect(statuses.filter(status => status === 200)).toHaveLength(300);
  expect(statuses.filter(status => status === 429)).toHaveLength(10);
});
