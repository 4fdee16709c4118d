import { randomBytes, randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { csrfToken } from '../../src/dashboard/cross-site.ts';
import { completeSignIn } from '../../src/resources/people/held-session.ts';
import { findSessions, hashToken, insertSession } from '../../src/resources/people/sessions.ts';
import { type Answer, DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const ofOneSession = 50;

/** Another session of the person: complete, or with the password only. */
async function openSession({ id: personId }: TestPerson, complete: boolean): Promise<DashboardClient> {
  const { people } = service.storage;
  const token = randomBytes(32).toString('base64url');
  await insertSession(people, { personId, token, address: '127.0.0.1', userAgent: 'test', fresh: true });
  const [session] = await findSessions(people, [{ token, organizationId: null }]);
  if (complete) await completeSignIn(people, { id: session!.id, token }, token);
  return new DashboardClient(service.url, { cookie: `parapet_session=${token}`, csrf: csrfToken(token) });
}

/** Keeps as many requests of the session in flight as it may have, with unfinished bodies. */
async function hold({ cookie, csrf }: DashboardClient, path: string): Promise<ClientRequest[]> {
  const headers = {
    cookie,
    origin: service.url,
    'x-csrf-token': csrf,
    'content-type': 'application/json',
    'content-length': 2,
  };
  const tooMany = 5;
  const refused: unknown[] = [];
  const held = Array.from({ length: ofOneSession + tooMany }, () => {
    const one = request(`${service.url}/dashboard/api${path}`, { method: 'POST', headers });
    one.on('error', () => {}).on('response', ({ statusCode }) => refused.push(statusCode));
    one.write('{');
    return one;
  });
  await poll('as many as may be in flight', async () => refused.length >= tooMany || undefined);
  expect(refused).toEqual(Array(tooMany).fill(503));
  return held;
}

const release = (held: readonly ClientRequest[]) =>
  Promise.all(
    held.map(one => {
      const closed = new Promise(resolve => (one.closed ? resolve(one) : one.on('close', resolve)));
      one.destroy();
      return closed;
    }),
  );

const codeOf = ({ status, json }: Answer) => json?.error_code ?? status;

it('does not lock out colleagues, or the owner of a password with which someone else keeps requests open', async () => {
  const id = await service.createOrganization();
  const [guessed, colleague] = [await addPerson(service, id, 'admin'), await addPerson(service, id, 'admin')];
  const sessions = await Promise.all(Array.from({ length: 11 }, () => openSession(guessed, false)));
  const held = await Promise.all(sessions.map(session => hold(session, '/invitations/preview')));
  try {
    for (const { client } of [colleague, guessed])
      expect(codeOf(await client.get(`/organizations/${id}/people`))).toBe(200);
    const own = new DashboardClient(service.url);
    const { email, password, totpSecret } = guessed;
    expect(codeOf(await own.post('/sign-in', { email, password }))).toBe(200);
    const code = await totpCode(totpSecret!);
    expect(codeOf(await own.post('/second-factor', { type: 'totp', code }))).toBe(200);
    expect(codeOf(await own.get(`/organizations/${id}/people`))).toBe(200);
    expect(codeOf(await sessions[0]!.post('/sign-out')), 'in a session at its limit').toBe(200);
  } finally {
    await release(held.flat());
  }
});

it('leaves colleagues most of an organization’s requests in flight, and everyone access to their account security', async () => {
  const id = await service.createOrganization();
  const [busy, colleague] = [await addPerson(service, id, 'member'), await addPerson(service, id, 'member')];
  const others: TestPerson[] = [];
  for (let count = 0; count < 4; count++) others.push(await addPerson(service, id, 'member'));
  const views = `/organizations/${id}/views`;
  const listed = `/organizations/${id}/people`;
  const held: ClientRequest[] = [];
  const holdAll = async (person: TestPerson) => {
    for (const session of [await openSession(person, true), await openSession(person, true)])
      held.push(...(await hold(session, views)));
  };
  try {
    await holdAll(busy);
    expect(codeOf(await busy.client.get(listed)), 'of all sessions of one person').toBe('too_busy');
    expect(codeOf(await colleague.client.get(listed))).toBe(200);
    const code = (client: DashboardClient) => client.post('/sign-out').then(codeOf);
    expect(await code(busy.client)).toBe(200);

    await Promise.all(others.map(holdAll));
    expect(codeOf(await colleague.client.get(listed)), 'of all people of an organization').toBe('too_busy');
    const other = await addPerson(service, await service.createOrganization(), 'member');
    expect(codeOf(await other.client.get('/account/security'))).toBe(200);
    expect(codeOf(await colleague.client.post('/account/sessions/end-others'))).toBe(200);
    expect(await code(colleague.client)).toBe(200);
  } finally {
    await release(held);
  }
});

it('does not make an incomplete sign-in wait for another of the same person', async () => {
  const person = await addPerson(service, await service.createOrganization(), 'admin');
  const [held, own] = [await openSession(person, false), await openSession(person, false)];
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('begin');
    const token = held.cookie!.split('=')[1]!;
    const locked = await holder.query('select from sessions where token_hash = $1 for update', [
      hashToken(token),
    ]);
    expect(locked.rowCount).toBe(1);
    const waiting = Array.from({ length: 10 }, () => held.post('/sign-out'));
    await untilWaiting(connection, 1);
    expect(codeOf(await own.post('/sign-out'))).toBe(200);
    await holder.query('rollback');
    await Promise.all(waiting);
  });
});

const accountsOf: Readonly<Record<string, (id: string) => Promise<DashboardClient>>> = {
  'accounts that have not accepted its invitation': async id => {
    const owner = await addPerson(service, id, 'owner');
    const invited = await owner.client.post(`/organizations/${id}/invitations`, {
      email: `${randomUUID()}@example.org`,
      role: 'member',
    });
    const token = invited.json.url.split('#token=')[1];
    const client = new DashboardClient(service.url);
    const account = { token, name: 'Invited', password: testPassword };
    expect(codeOf(await client.post('/invitations/account', account))).toBe(200);
    return client;
  },
  'people who have left': async id => {
    const person = await addPerson(service, id, 'member');
    await asOwner(service.database.connection, client =>
      client.query('update memberships set left_at = now() where person_id = $1', [person.id]),
    );
    return person.client;
  },
  'passwords without a second factor': async id => openSession(await addPerson(service, id, 'admin'), false),
};

it.each(Object.entries(accountsOf))(
  'leaves connections to others, however many %s an organization has',
  async (_, open) => {
    const id = await service.createOrganization();
    const clients: DashboardClient[] = [];
    while (clients.length < 8) clients.push(await open(id));
    const other = await addPerson(service, await service.createOrganization(), 'member');
    const { connection } = service.database;
    await asOwner(connection, async holder => {
      await holder.query('begin');
      await holder.query(
        "select from sessions s where s.person_id <> $1 and s.created_at > now() - interval '5 minutes' for update",
        [other.id],
      );
      const waiting = clients.flatMap(client => [client.post('/sign-out'), client.post('/sign-out')]);
      await untilWaiting(connection, 3);
      for (let count = 0; count < 20; count++)
        expect(codeOf(await other.client.get('/account/security'))).toBe(200);
      await holder.query('rollback');
      await Promise.all(waiting);
    });
  },
);

it('counts the work for clients that have disconnected', async () => {
  const id = await service.createOrganization();
  const [busy, other] = [await addPerson(service, id, 'member'), await addPerson(service, id, 'member')];
  const path = `/organizations/${id}/views`;
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin; lock table finding_views');
    // Changes, since queued reads end with their clients.
    const { cookie, csrf } = busy.client;
    const body = JSON.stringify({ name: 'V', filters: {}, shared: false });
    const headers = {
      cookie,
      origin: service.url,
      'x-csrf-token': csrf,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const tooMany = 5;
    let refused = 0;
    const gone = Array.from({ length: ofOneSession + tooMany }, () =>
      request(`${service.url}/dashboard/api${path}`, { method: 'POST', headers })
        .on('error', () => {})
        .on('response', ({ statusCode }) => (refused += Number(statusCode === 503))),
    );
    for (const one of gone) one.end(body);
    // Polling would be one more request in flight.
    await poll('as many as may be in flight', async () => refused >= tooMany || undefined);
    // Bodies are queued in order, and queued bodies end with their clients.
    expect(codeOf(await other.client.request('PATCH', '/account', { name: 'Other' }))).toBe(200);
    const isBusy = async () => codeOf(await busy.client.get('/session')) === 'too_busy';
    await release(gone);
    for (let count = 0; count < 3; count++) expect(codeOf(await other.client.get('/session'))).toBe(200);
    expect(await isBusy()).toBe(true);
    await holder.query('rollback');
    await poll('the work to end', async () => !(await isBusy()) || undefined);
  });
});
