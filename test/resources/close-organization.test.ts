import { beforeAll, expect, it } from 'vitest';
import { withOwner } from '../../src/database/with-owner.ts';
import { closeOrganization } from '../../src/resources/organizations/close-organization.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  return () => service.close();
});

const close = (id: string) =>
  withOwner(service.database.connection, 'test', owner =>
    closeOrganization(owner, id, { kind: 'operator', id: 'test' }),
  );

it('ends keys that people were making when it was closed', async () => {
  const id = await service.createOrganization();
  const { client } = await addPerson(service, id, 'owner');
  const mint = (name: string) => client.post(`/organizations/${id}/keys`, { name, kind: 'dashboard' });
  const { connection } = service.database;
  const [answer, closed] = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('lock table api_keys in share mode');
    const minting = mint('During');
    await untilWaiting(connection, 1);
    const closing = close(id);
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([minting, closing]);
  });
  expect(answer.status, answer.text).toBe(201);
  expect(closed).toMatchObject({ keys: 1, people: 1 });
  expect((await call(service.url, answer.json, 'GET', '/api/v1/systems')).status).toBe(401);
  expect((await mint('After')).status).toBe(404);
});

it('refuses keys that people begin to make while it is closed', async () => {
  const id = await service.createOrganization();
  const { client } = await addPerson(service, id, 'owner');
  const { connection } = service.database;
  const [closed, answer] = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from organizations where id = $1 for update', [id]);
    const closing = close(id);
    await untilWaiting(connection, 1);
    const minting = client.post(`/organizations/${id}/keys`, {
      name: 'During',
      kind: 'dashboard',
    });
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([closing, minting]);
  });
  expect(closed).toMatchObject({ keys: 0, people: 1 });
  expect(answer.status).toBe(404);
});

it('ends memberships that were being added when it was closed', async () => {
  const id = await service.createOrganization();
  const person = await addPerson(service, await service.createOrganization(), 'owner');
  const { connection } = service.database;
  let closing: ReturnType<typeof close> | undefined;
  await service.storage.people.transaction(async transaction => {
    await addMember(transaction, id, person.id, 'owner');
    closing = close(id);
    await untilWaiting(connection, 1);
  });
  expect(await closing).toMatchObject({ people: 1 });
  expect((await person.client.get(`/organizations/${id}/systems`)).status).toBe(404);
});
