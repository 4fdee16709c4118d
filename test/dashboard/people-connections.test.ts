import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('leaves others, and whoever signs in, their connections', async () => {
  const organizationId = await service.createOrganization();
  const [busy, other, absent] = [
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
  ];
  const rename = (client: DashboardClient) => client.request('PATCH', '/account', { name: 'New name' });
  const { connection } = service.database;
  const slow = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(`select from people where id = '${busy.id}' for update`);
    const waiting = Array.from({ length: 20 }, () => rename(busy.client));
    await untilWaiting(connection, 2);
    expect((await rename(other.client)).status).toBe(200);
    const { email, password } = absent;
    expect((await new DashboardClient(service.url).post('/sign-in', { email, password })).status).toBe(200);
    await holder.query('commit');
    return Promise.all(waiting);
  });
  expect(slow.map(({ status }) => status)).toEqual(Array(20).fill(200));
});
