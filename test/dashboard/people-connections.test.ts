import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
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

it('lets nobody who waits for one organization’s audit log take the connections of others, and does nothing unrecorded', async () => {
  const held = await service.createOrganization();
  const members = await Promise.all(Array.from({ length: 8 }, () => addPerson(service, held, 'member')));
  const other = await addPerson(service, await service.createOrganization(), 'member');
  const signIn = ({ email, password }: TestPerson) =>
    new DashboardClient(service.url).post('/sign-in', { email, password });
  const rename = (client: DashboardClient) => client.request('PATCH', '/account', { name: 'Renamed' });
  const { connection } = service.database;
  const most: Record<string, number> = {};
  const [answers, others] = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from audit_heads where organization_id = $1 for update', [held]);
    let done = false;
    const waiting = Promise.all(members.flatMap(member => [signIn(member), rename(member.client)])).finally(
      () => {
        done = true;
      },
    );
    await untilWaiting(connection, 5);
    const others = [signIn(other), rename(other.client), other.client.get('/session')];
    await poll('answers', async () => {
      const { rows } = await holder.query(
        `select application_name as pool, count(*)::int as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and query not like '%sign_in_attempts%' and datname = current_database() group by 1`,
      );
      for (const { pool, waiting } of rows) most[pool] = Math.max(most[pool] ?? 0, waiting);
      return done || undefined;
    });
    const answered = await Promise.all([waiting, Promise.all(others)]);
    await holder.query('rollback');
    return answered;
  });
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(most, 'connections taken at a time').toEqual({ 'parapet-people': 2, 'parapet-signed-in': 3 });
  for (const { status, json } of answers) {
    expect({ status, json }).toMatchObject({
      status: 503,
      json: { error_code: 'too_busy', retry_after_seconds: 1 },
    });
  }
  const rows = await asOwner(connection, async client => {
    const { rows } = await client.query(
      'select name from people where id = any($1::uuid[]) union all select action from audit_entries where object_id::uuid = any($1::uuid[])',
      [members.map(({ id }) => id)],
    );
    return rows;
  });
  expect(rows).toEqual(Array(8).fill({ name: 'A member' }));
  expect((await signIn(members[0]!)).status).toBe(200);
});

it('records a wrong password also where the audit log was held for longer than anybody waits', async () => {
  const organizationId = await service.createOrganization();
  const { id, email } = await addPerson(service, organizationId, 'member');
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from audit_heads where organization_id = $1 for update', [organizationId]);
    const refused = await new DashboardClient(service.url).post('/sign-in', { email, password: 'wrong' });
    expect(refused.status).toBe(401);
    await untilWaiting(connection, 1);
    await poll('the end of the wait', async () => {
      const { rows } = await holder.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length === 0 || undefined;
    });
    await holder.query('commit');
    await poll('the entry', async () => {
      const { rows } = await holder.query('select action from audit_entries where object_id = $1', [id]);
      return rows[0]?.action === 'person.sign_in_failed' || undefined;
    });
  });
});
