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
  for (let index = 1; index < 300; index++) expect((await change()).status).toBe(200);
  const refused = await change();
  expect(refused).toMatchObject({ status: 429, json: { error_code: 'too_many_changes' } });
  expect(refused.json.retry_after_seconds).toBeLessThanOrEqual(60);
  expect((await member.client.get(path)).status).toBe(200);
  expect((await other.client.post(path, view)).status).toBe(201);
  expect((await member.client.post('/account/sessions/end-others')).status).toBe(200);
});
