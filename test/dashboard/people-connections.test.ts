import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditStatement } from '../../src/database/audit.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { type Answer, DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ longestLockMs: 2_000 });
});
afterAll(() => service?.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;
const signIn = async ({ email, password }: TestPerson, client = new DashboardClient(service.url)) =>
  client.post('/sign-in', { email, password });
const rename = (client: DashboardClient) => client.request('PATCH', '/account', { name: 'Renamed' });
/** Adds the person to another organization. */
const join = ({ id }: TestPerson, organizationId: string, role: 'admin' | 'member' = 'member') =>
  service.storage.people.transaction(transaction => addMember(transaction, organizationId, id, role));
const entriesAbout = async (id: string, organizationId: string) =>
  (
    await sql(
      `select action from ${recordedEntries} where object_id = $1 and organization_id = $2 order by sequence`,
      [id, organizationId],
    )
  ).map(({ action }) => action);

/**
 * Runs the work while a transaction keeps the organization's audit log locked, for which other work of the organization does not
 * wait. Returns the result, and when the log was unlocked, by the database's clock.
 */
async function whileLogIsInUse<T>(organizationId: string, work: () => Promise<T>): Promise<[T, string]> {
  const actor = { kind: 'service', id: 'test' } as const;
  const store = service.storage.tenant(organizationId, actor);
  const system = { name: 'System', environment: 'test', kind: 'api' } as const;
  const create = () => store.transaction(session => createSystem(session, system));
  const outcome = await store.transaction(async transaction => {
    const entry = { action: 'log.held', objectKind: 'organization', objectId: organizationId };
    await transaction.query(auditStatement(actor, [entry]));
    await Promise.all(Array.from({ length: 3 }, create));
    const done = await work();
    const [now] = await transaction.query<{ now: string }>({ text: 'select clock_timestamp() as now' });
    return [done, now!.now] as [T, string];
  });
  await create();
  return outcome;
}

it('leaves connections to others and to sign-ins', async () => {
  const organizationId = await service.createOrganization();
  const [busy, other, absent] = [
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
  ];
  const { connection } = service.database;
  const slow = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(`select from people where id = '${busy.id}' for update`);
    const waiting = Array.from({ length: 20 }, () => rename(busy.client));
    await untilWaiting(connection, 2);
    expect((await rename(other.client)).status).toBe(200);
    expect((await signIn(absent)).status).toBe(200);
    await holder.query('commit');
    return Promise.all(waiting);
  });
  expect(slow.map(({ status }) => status)).toEqual(Array(20).fill(200));
});

it('does not let people who wait for one organization’s audit log use up other connections, and does nothing unrecorded', async () => {
  const held = await service.createOrganization();
  const members = await Promise.all(Array.from({ length: 8 }, () => addPerson(service, held, 'member')));
  const [answers] = await whileLogIsInUse(held, () =>
    Promise.all(members.flatMap(member => [signIn(member), rename(member.client)])),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
  for (const { id } of members) {
    expect((await entriesAbout(id, held)).sort()).toEqual(['person.password_accepted', 'person.renamed']);
  }
});

it('lets a member of two organizations sign in, and work in one, while the log of the other is locked', async () => {
  const [busy, free] = [await service.createOrganization(), await service.createOrganization()];
  const both = await addPerson(service, free, 'admin');
  await join(both, busy, 'admin');
  const colleague = await addPerson(service, free, 'member');
  const client = new DashboardClient(service.url);
  const [answers, freeAt] = await whileLogIsInUse(busy, async () => [
    await signIn(both, client),
    await client.post('/second-factor', { type: 'totp', code: '000000' }),
    await client.post('/second-factor', { type: 'totp', code: await totpCode(both.totpSecret!) }),
    await rename(client),
    await client.post('/account/sessions/end-others'),
    await client.post('/account/backup-codes'),
    await client.post(`/organizations/${free}/invitations`, { email: 'new@example.org', role: 'member' }),
    await client.request('PATCH', `/organizations/${free}/people/${colleague.id}`, { role: 'admin' }),
    await client.delete(`/organizations/${free}/people/${colleague.id}`),
    await client.post('/sign-out'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 200, 200, 200, 201, 200, 200, 200]);
  const actions = [
    'person.password_accepted',
    'person.second_factor_failed',
    'person.signed_in',
    'person.renamed',
    'person.other_sessions_ended',
    'person.backup_codes_renewed',
    'person.signed_out',
  ];
  expect(await entriesAbout(both.id, free)).toEqual(actions);
  // They were pending: the next transaction that appended to the log has appended them first, with their original times.
  const entries = await sql(
    `select action, occurred_at < $2 as "whileInUse" from audit_entries where organization_id = $1 order by sequence`,
    [busy, freeAt],
  );
  expect(entries).toEqual([
    ...['organization.created', 'log.held', ...Array(3).fill('system.created'), ...actions].map(action => ({
      action,
      whileInUse: true,
    })),
    { action: 'system.created', whileInUse: false },
  ]);
  expect(await service.storage.system.brokenAuditChains()).toEqual([]);
});

it('limits connections of people of one organization, and does nothing for requests that wait too long', async () => {
  const crowded = await service.createOrganization();
  const members = await Promise.all(Array.from({ length: 8 }, () => addPerson(service, crowded, 'member')));
  // In two organizations, so that neither waits for the other's row or audit log.
  const [signingIn, other] = [
    await addPerson(service, await service.createOrganization(), 'member'),
    await addPerson(service, await service.createOrganization(), 'member'),
  ];
  const { connection } = service.database;
  const most: Record<string, number> = {};
  const [answers, others] = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from people where id = any($1::uuid[]) for update', [
      members.map(({ id }) => id),
    ]);
    let done = false;
    const waiting = Promise.all(members.flatMap(member => [signIn(member), rename(member.client)])).finally(
      () => {
        done = true;
      },
    );
    await untilWaiting(connection, 5);
    const others = [signIn(signingIn), rename(other.client), other.client.get('/session')];
    await poll('answers', async () => {
      // On a separate connection, since a transaction's statistics of other queries do not change after the first read.
      const rows = await sql(
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
  expect(most, 'connections in use').toEqual({ 'parapet-people': 2, 'parapet-signed-in': 3 });
  for (const { status, json } of answers) {
    expect({ status, json }).toMatchObject({
      status: 503,
      json: { error_code: 'too_busy', retry_after_seconds: 1 },
    });
  }
  const ids = members.map(({ id }) => id);
  expect(await sql('select name from people where id = any($1::uuid[])', [ids])).toEqual(
    Array(8).fill({ name: 'A member' }),
  );
  for (const id of ids) expect(await entriesAbout(id, crowded)).toEqual([]);
  expect((await signIn(members[0]!)).status).toBe(200);
});

it('lets a person who is queued in one organization work in another', async () => {
  const [crowded, free] = [await service.createOrganization(), await service.createOrganization()];
  const [admin, both] = [
    await addPerson(service, crowded, 'admin'),
    await addPerson(service, crowded, 'admin'),
  ];
  await join(both, free, 'admin');
  const invite = ({ client }: TestPerson, organizationId: string, email: string) =>
    client.post(`/organizations/${organizationId}/invitations`, { email, role: 'member' });
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query("select pg_advisory_xact_lock(hashtextextended('parapet invitations ' || $1, 0))", [
      crowded,
    ]);
    const waiting: Promise<Answer>[] = [];
    let answered = 0;
    const begin = (person: TestPerson, index: number) =>
      void waiting.push(
        invite(person, crowded, `${index}@example.org`).finally(() => {
          answered += 1;
        }),
      );
    begin(admin, 0);
    begin(admin, 1);
    await untilWaiting(connection, 2);
    // One of these has the queue's last connection; the others are queued or wait for a connection.
    for (const index of [2, 3, 4, 5]) begin(both, index);
    await untilWaiting(connection, 3);
    const elsewhere = [
      await both.client.get('/session'),
      await invite(both, free, 'new@example.org'),
      await rename(both.client),
    ];
    expect(elsewhere.map(({ status }) => status)).toEqual([200, 201, 200]);
    expect(answered).toBe(0);
    await holder.query('rollback');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(6).fill(201));
  });
});

it.each([
  ['of a role', 'PATCH', { role: 'admin' }, 'person.role_changed'],
  ['of membership', 'DELETE', undefined, 'person.removed'],
])('finishes a change %s before people are listed', async (_what, method, body, action) => {
  const organizationId = await service.createOrganization();
  const [owner, member] = [
    await addPerson(service, organizationId, 'owner'),
    await addPerson(service, organizationId, 'member'),
  ];
  const { connection } = service.database;
  const change = await asOwner(connection, async list => {
    const begun = await asOwner(connection, async holder => {
      await holder.query('begin');
      await holder.query('select from memberships where person_id = $1 for update', [member.id]);
      const answer = owner.client.request(
        method,
        `/organizations/${organizationId}/people/${member.id}`,
        body,
      );
      await untilWaiting(connection, 1);
      // The list shows who has an authenticator app.
      await list.query('begin; lock table totp_factors in access exclusive mode');
      await holder.query('rollback');
      return { answer };
    });
    await poll(
      'the entry',
      async () => (await entriesAbout(member.id, organizationId)).includes(action) || undefined,
      20,
    );
    await list.query('rollback');
    return begun.answer;
  });
  expect(change.status).toBe(200);
});

it('records a wrong password even if the audit log was locked for longer than requests wait', async () => {
  const organizationId = await service.createOrganization();
  const person = await addPerson(service, organizationId, 'member');
  await whileLogIsInUse(organizationId, async () => {
    expect((await signIn({ ...person, password: 'wrong' })).status).toBe(401);
    await poll('the entry', async () => {
      const rows = await sql('select from pending_audit_entries where object_id = $1', [person.id]);
      return rows.length === 1 || undefined;
    });
  });
  expect(await entriesAbout(person.id, organizationId)).toEqual(['person.sign_in_failed']);
});

it('leaves connections to people of other organizations, however many of one send requests', async () => {
  const line = await service.createOrganization();
  const other = await addPerson(service, await service.createOrganization(), 'member');
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('select pg_advisory_lock(1)');
    const many = Array.from({ length: 20 }, (_, index) =>
      service.storage
        .peopleFor({ person: `${index}`, line })
        .query({ text: 'select pg_advisory_xact_lock_shared(1)' }),
    );
    const asking = Promise.allSettled(many);
    await untilWaiting(connection, 3);
    for (const path of ['/session', '/account/security'])
      expect((await other.client.get(path)).status).toBe(200);
    expect((await rename(other.client)).status).toBe(200);
    const [{ waiting }] = await sql(
      "select count(*)::int as waiting from pg_stat_activity where wait_event = 'advisory' and datname = current_database()",
    );
    expect(waiting).toBe(3);
    await holder.query('select pg_advisory_unlock(1)');
    expect((await asking).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'));
  });
});

it('limits simultaneous requests of a session, and refuses more without delay', async () => {
  const id = await service.createOrganization();
  const [member, colleague] = [
    await addPerson(service, id, 'admin'),
    await addPerson(service, await service.createOrganization(), 'admin'),
  ];
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('lock table systems in access exclusive mode');
    let refused = 0;
    const asked = Array.from({ length: 60 }, () =>
      member.client.get(`/organizations/${id}/systems`).then(answer => {
        if (answer.status === 503) refused += 1;
        return answer;
      }),
    );
    await poll('refusals', async () => (refused === 10 ? true : undefined));
    expect((await colleague.client.get('/session')).status).toBe(200);
    await holder.query('rollback');
    const statuses = (await Promise.all(asked)).map(({ status, json }) => json.error_code ?? status);
    expect(statuses.toSorted()).toEqual([...Array(50).fill(200), ...Array(10).fill('too_busy')]);
  });
});

it('does not let an organization that waits for its own connections block another from verifying its audit log', async () => {
  const busy = [await service.createOrganization(), await service.createOrganization()];
  const free = await service.createOrganization();
  const [one, two, other] = [
    await addPerson(service, busy[0]!, 'admin'),
    await addPerson(service, busy[1]!, 'admin'),
    await addPerson(service, free, 'admin'),
  ];
  const verify = ({ client }: TestPerson, organizationId: string) =>
    client.get(`/organizations/${organizationId}/audit/verification`);
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('select pg_advisory_lock(2)');
    const actor = { kind: 'service', id: 'test' } as const;
    const held = busy.flatMap(id =>
      Array.from({ length: 5 }, () =>
        service.storage.tenant(id, actor).queryOnce({ text: 'select pg_advisory_xact_lock_shared(2)' }),
      ),
    );
    await untilWaiting(connection, 8);
    const waiting = [verify(one, busy[0]!), verify(two, busy[1]!)];
    for (let time = 0; time < 3; time += 1)
      expect((await verify(other, free)).json).toMatchObject({ holds: true });
    await holder.query('select pg_advisory_unlock(2)');
    await Promise.all(held);
    for (const { json } of await Promise.all(waiting)) expect(json).toMatchObject({ holds: true });
  });
});
