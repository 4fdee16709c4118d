import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/dashboard/sign-in/passwords.ts';
import type { PeopleTransaction } from '../../src/database/people-store.ts';
import { lockAccount, setPassword } from '../../src/resources/people/accounts.ts';
import { closeAccount } from '../../src/resources/people/close-account.ts';
import { invite } from '../../src/resources/people/invitations.ts';
import { changeRole, removeMember } from '../../src/resources/people/memberships.ts';
import { keepPendingIdentity } from '../../src/resources/people/pending-identities.ts';
import { resetSecondFactors } from '../../src/resources/people/recover.ts';
import { endOtherSessions } from '../../src/resources/people/sessions.ts';
import { type Answer, DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { auditLogsLock, raceBehindLock, untilWaiting } from '../support/held-lock.ts';
import { addPasskey } from '../support/passkey.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let organizationId: string;
beforeAll(async () => {
  service = await startService();
  organizationId = await service.createOrganization();
});
afterAll(() => service?.close());

const operator = { kind: 'operator', id: 'host' } as const;
const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query(text, values)).rows);

/** Sends the request during the change, and commits the change once the request waits for it. */
async function during(
  change: (transaction: PeopleTransaction) => Promise<unknown>,
  send: () => Promise<Answer>,
  afterwards: (transaction: PeopleTransaction) => Promise<unknown> = async () => {},
): Promise<Answer> {
  let sent: Promise<Answer> | undefined;
  await service.storage.people.transaction(async transaction => {
    await change(transaction);
    let answered = false;
    sent = send().finally(() => {
      answered = true;
    });
    await poll('a session that waits', async () => {
      const [{ waiting }] = await sql(
        "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return waiting > 0 || answered ? true : undefined;
    });
    await afterwards(transaction);
  });
  return sent!;
}

const signIn = ({ email, password }: TestPerson) =>
  new DashboardClient(service.url).post('/sign-in', { email, password });
const openSessions = ({ id }: TestPerson) =>
  sql('select id from sessions where person_id = $1 and ended_at is null', [id]);

describe('a sign-in in flight', () => {
  it('does not complete after the operator has reset the second factors', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const reset = (transaction: PeopleTransaction) => resetSecondFactors(transaction, person.id, operator);
    const answer = await during(reset, () => signIn(person));
    expect(answer.json.error_code, answer.text).toBe('sign_in_failed');
    expect(await openSessions(person)).toHaveLength(0);
  });

  it('does not complete with a previous password', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const hash = await hashPassword('meadow brick falcon 29');
    const change = async (transaction: PeopleTransaction) => {
      await setPassword(transaction, person.id, hash);
      await endOtherSessions(transaction, person.id, null);
    };
    const answer = await during(change, () => signIn(person));
    expect(answer.json.error_code, answer.text).toBe('sign_in_failed');
    expect(await openSessions(person)).toHaveLength(0);
  });

  it('does not complete with a removed passkey', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const passkey = await addPasskey(service, person);
    const client = new DashboardClient(service.url);
    const { options } = (await client.post('/sign-in/passkey/options')).json;
    const answer = await during(
      transaction =>
        transaction.query({ text: 'select from people where id = $1 for update', values: [person.id] }),
      () => client.post('/sign-in/passkey', { response: passkey.answer(options.challenge) }),
      // Its response is verified by now.
      transaction => resetSecondFactors(transaction, person.id, operator),
    );
    expect(answer.json.error_code, answer.text).toBe('passkey_refused');
    expect(await openSessions(person)).toHaveLength(0);
  });
});

describe('a request in flight', () => {
  const lock = (person: TestPerson) => (transaction: PeopleTransaction) =>
    lockAccount(transaction, person.id);
  /** Like a change in another session to what opens the account. */
  const endAll = (person: TestPerson) => (transaction: PeopleTransaction) =>
    endOtherSessions(transaction, person.id, null);
  const close = (person: TestPerson) => (transaction: PeopleTransaction) =>
    closeAccount(transaction, person.id, operator);

  it('joins no organization after the account was closed', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const elsewhere = await service.createOrganization();
    const { token } = await service.storage.people.transaction(transaction =>
      invite(transaction, {
        organizationId: elsewhere,
        email: person.email,
        role: 'admin',
        actor: operator,
      }),
    );
    const answer = await during(close(person), () => person.client.post('/invitations/accept', { token }));
    expect(answer.status, answer.text).toBe(401);
    expect(
      await sql('select from memberships where person_id = $1 and left_at is null', [person.id]),
    ).toEqual([]);
  });

  const remove = (person: TestPerson) => (transaction: PeopleTransaction) =>
    removeMember(transaction, { organizationId, personId: person.id, actor: operator, by: 'owner' });

  it('changes no membership after losing the role', async () => {
    const [person, accomplice] = [
      await addPerson(service, organizationId, 'owner'),
      await addPerson(service, organizationId, 'member'),
    ];
    await addPerson(service, organizationId, 'owner');
    const path = `/organizations/${organizationId}/people/${accomplice.id}`;
    const answer = await during(remove(person), () =>
      person.client.request('PATCH', path, { role: 'owner' }),
    );
    expect(answer.status, answer.text).toBe(403);
    expect(await sql('select role from memberships where person_id = $1', [accomplice.id])).toEqual([
      { role: 'member' },
    ]);
  });

  /** The locks that the requests wait for. */
  const locks = [
    "select pg_advisory_xact_lock(hashtextextended('parapet invitations ' || $1, 0))",
    'select from memberships where organization_id = $1 for update',
    'select from invitations where organization_id = $1 for update',
  ];

  it.each([
    ['creates no invitation', 'POST', 'invitations', { email: 'friend@example.com', role: 'owner' }],
    ['revokes no invitation', 'DELETE', 'invitations/:invitation', undefined],
    ['changes no role', 'PATCH', 'people/:member', { role: 'owner' }],
    ['removes no one', 'DELETE', 'people/:member', undefined],
    ['does not leave', 'POST', 'leave', {}],
  ])('%s after its session has ended', async (_what, method, path, body) => {
    const own = await service.createOrganization();
    const [person, member] = [
      await addPerson(service, own, 'owner'),
      await addPerson(service, own, 'member'),
    ];
    await addPerson(service, own, 'owner');
    const organization = `/organizations/${own}`;
    const invited = { email: 'guest@example.com', role: 'member' };
    const { invitation } = (await person.client.post(`${organization}/invitations`, invited)).json;
    const state = () =>
      sql(
        `select person_id::text, role, left_at from memberships where organization_id = $1
          union all select id::text, role, revoked_at from invitations where organization_id = $1 order by 1`,
        [own],
      );
    const before = await state();
    const end = async (transaction: PeopleTransaction) => {
      for (const text of locks) await transaction.query({ text, values: [own] });
      await endOtherSessions(transaction, person.id, null);
    };
    const url = path.replace(':invitation', invitation.id).replace(':member', member.id);
    const answer = await during(end, () => person.client.request(method, `${organization}/${url}`, body));
    expect(answer.status, answer.text).toBe(401);
    expect(await state()).toEqual(before);
  });

  it('does not restore a role that was taken away', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    await addPerson(service, organizationId, 'owner');
    const demote = (transaction: PeopleTransaction) =>
      changeRole(
        transaction,
        { organizationId, personId: person.id, actor: operator, by: 'owner' },
        'member',
      );
    const path = `/organizations/${organizationId}/people/${person.id}`;
    const answer = await during(demote, () => person.client.request('PATCH', path, { role: 'owner' }));
    expect(answer.status, answer.text).toBe(403);
    expect(await sql('select role from memberships where person_id = $1', [person.id])).toEqual([
      { role: 'member' },
    ]);
  });

  it('creates and revokes no invitation for a person whose role has changed', async () => {
    const owner = await addPerson(service, organizationId, 'owner');
    const path = `/organizations/${organizationId}/invitations`;
    const body = { email: 'in.flight@example.org', role: 'member' };
    const { id } = (await owner.client.post(path, body)).json.invitation;
    const demote =
      ({ id: personId }: TestPerson) =>
      (transaction: PeopleTransaction) =>
        changeRole(transaction, { organizationId, personId, actor: operator, by: 'owner' }, 'member');
    for (const change of [remove, demote]) {
      const [inviting, revoking] = [
        await addPerson(service, organizationId, 'admin'),
        await addPerson(service, organizationId, 'admin'),
      ];
      const another = { ...body, email: 'another@example.org' };
      const answers = [
        await during(change(inviting), () => inviting.client.post(path, another)),
        await during(change(revoking), () => revoking.client.delete(`${path}/${id}`)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    }
    const { invitations } = (await owner.client.get(`/organizations/${organizationId}/people`)).json;
    expect(invitations.map(({ email }: { email: string }) => email)).toEqual([body.email]);
  });

  /** Changes that remove the admin's permission, and the response to a later request. */
  const ends: [
    what: string,
    status: number,
    (person: TestPerson) => (t: PeopleTransaction) => Promise<unknown>,
  ][] = [
    ['was removed', 404, remove],
    [
      'has another role',
      403,
      ({ id: personId }) =>
        transaction =>
          changeRole(transaction, { organizationId, personId, actor: operator, by: 'owner' }, 'member'),
    ],
    ['was signed out', 401, endAll],
  ];
  const key = { name: 'Back door', kind: 'dashboard' };
  const keysOfAll = () => sql('select from api_keys');

  it.each(ends)('creates no key for a person who %s before the body arrived', async (_, status, end) => {
    const person = await addPerson(service, organizationId, 'admin');
    const { cookie, csrf } = person.client;
    const body = JSON.stringify(key);
    const sent = request(`${service.url}/dashboard/api/organizations/${organizationId}/keys`, {
      method: 'POST',
      headers: {
        cookie,
        origin: service.url,
        'x-csrf-token': csrf,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.write(body.slice(0, 5));
    // Sent later and already answered, so the first request was admitted by then.
    expect((await person.client.get(`/organizations/${organizationId}/keys`)).status).toBe(200);
    await service.storage.people.transaction(end(person));
    sent.end(body.slice(5));
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode, await text(answer)).toBe(status);
    expect(await keysOfAll()).toEqual([]);
  });

  it.each(ends)(
    'creates no key for a person who %s before the request had a connection',
    async (_, status, end) => {
      const person = await addPerson(service, organizationId, 'admin');
      const release = new AbortController();
      const store = service.storage.tenant(organizationId, operator);
      // All connections that the organization may use.
      const held = Array.from({ length: 5 }, () =>
        store.read(async session => {
          await session.query({ text: 'select' });
          if (!release.signal.aborted) await once(release.signal, 'abort');
        }),
      );
      const answer = person.client.post(`/organizations/${organizationId}/keys`, key);
      await service.storage.people.transaction(end(person));
      release.abort();
      await Promise.all(held);
      expect((await answer).status, (await answer).text).toBe(status);
      expect(await keysOfAll()).toEqual([]);
    },
  );

  it('finishes creating a key, or creates none, when its admin is removed', async () => {
    const [person, owner] = [
      await addPerson(service, organizationId, 'admin'),
      await addPerson(service, organizationId, 'owner'),
    ];
    const path = `/organizations/${organizationId}`;
    // Blocked right before the commit, after the last check of the person's permission.
    const sent = await asOwner(service.database.connection, async holder => {
      await holder.query('begin');
      await holder.query('lock table audit_entries in share mode');
      const sent = person.client.post(`${path}/keys`, key);
      await untilWaiting(service.database.connection, 1);
      const removed = owner.client.delete(`${path}/people/${person.id}`);
      await untilWaiting(service.database.connection, 2);
      await holder.query('rollback');
      expect((await removed).status).toBe(200);
      return sent;
    });
    const listed = (await owner.client.get(`${path}/keys`)).json.keys.length;
    expect([sent.status, listed], sent.text).toEqual([201, 1]);
    await sql('delete from api_keys');
  });

  it.each(ends.slice(2))(
    'creates no key for a person who %s while the request waited for others',
    async (_, status, end) => {
      const person = await addPerson(service, organizationId, 'admin');
      const answer = await asOwner(service.database.connection, async holder => {
        await holder.query('begin');
        await holder.query(auditLogsLock);
        const sent = person.client.post(`/organizations/${organizationId}/keys`, key);
        await untilWaiting(service.database.connection, 1);
        await service.storage.people.transaction(end(person));
        await holder.query('rollback');
        return sent;
      });
      expect(answer.status, answer.text).toBe(status);
      expect(await keysOfAll()).toEqual([]);
    },
  );

  it('does not remove the last two second factors at once', async () => {
    const person = await addPerson(service, await service.createOrganization(), 'owner');
    await addPasskey(service, person);
    const { passkeys } = (await person.client.get('/account/security')).json;
    const elsewhere = new DashboardClient(service.url);
    await elsewhere.post('/sign-in', { email: person.email, password: person.password });
    const code = await totpCode(person.totpSecret!, 1);
    expect((await elsewhere.post('/second-factor', { type: 'totp', code })).status).toBe(200);
    const answers = await raceBehindLock(service.database.connection, auditLogsLock, [
      () => person.client.delete(`/account/passkeys/${passkeys[0].id}`),
      () => elsewhere.delete('/account/totp'),
    ]);
    const outcomes = answers.map(({ status, json }) => json.error_code ?? status);
    // The first change ends the other session.
    expect(outcomes.map(String).sort()).toEqual(['200', '401']);
  });

  it.each<[string, (thief: DashboardClient, person: TestPerson) => Promise<Answer>]>([
    [
      'a new password',
      (thief, { password }) =>
        thief.post('/account/password', { current_password: password, password: 'meadow brick falcon 29' }),
    ],
    ['backup codes', thief => thief.post('/account/backup-codes')],
    ['an authenticator app', thief => thief.post('/account/totp')],
    ['a name', thief => thief.request('PATCH', '/account', { name: 'Mallory' })],
  ])('changes nothing after another session has changed what opens the account: %s', async (_what, send) => {
    const person = await addPerson(service, organizationId, 'admin');
    const thief = new DashboardClient(service.url);
    await thief.post('/sign-in', { email: person.email, password: person.password });
    const code = await totpCode(person.totpSecret!, 1);
    expect((await thief.post('/second-factor', { type: 'totp', code })).status).toBe(200);
    const answer = await during(lock(person), () => send(thief, person), endAll(person));
    expect(answer.status, answer.text).toBe(401);
    expect((await thief.session()).state).toBe('signed_out');
  });

  it('completes no sign-in with a code after another session has changed what opens the account', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const thief = new DashboardClient(service.url);
    await thief.post('/sign-in', { email: person.email, password: person.password });
    const code = await totpCode(person.totpSecret!, 1);
    const send = () => thief.post('/second-factor', { type: 'totp', code });
    const answer = await during(lock(person), send, endAll(person));
    expect(answer.status, answer.text).toBe(401);
    expect((await thief.session()).state).toBe('signed_out');
  });

  it('links no provider account after the account was closed', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const [session] = await openSessions(person);
    const token = await keepPendingIdentity(service.storage.people, {
      purpose: 'link',
      sessionId: session.id,
      issuer: 'https://idp.example',
      subject: person.id,
      email: null,
      name: null,
    });
    const answer = await during(close(person), () => person.client.post('/oidc/link', { token }));
    expect(answer.status, answer.text).toBe(401);
    expect(await sql('select from person_identities where person_id = $1', [person.id])).toEqual([]);
  });

  it('sets up no factor and no codes after the operator has reset them', async () => {
    const reset = (id: string) => (transaction: PeopleTransaction) =>
      resetSecondFactors(transaction, id, operator);
    const codes = await addPerson(service, organizationId, 'owner');
    const renewed = await during(reset(codes.id), () => codes.client.post('/account/backup-codes'));
    expect(renewed.status, renewed.text).toBe(401);
    const app = await addPerson(service, organizationId, 'owner');
    const { secret } = (await app.client.post('/account/totp')).json;
    const code = await totpCode(secret);
    const confirmed = await during(reset(app.id), () => app.client.post('/account/totp/confirm', { code }));
    expect(confirmed.status, confirmed.text).toBe(401);
    expect(
      await sql(
        'select person_id from totp_factors where person_id = any($1) union all select person_id from backup_codes where person_id = any($1)',
        [[codes.id, app.id]],
      ),
    ).toEqual([]);
  });

  it.each([
    ['keys', 'application/json', JSON.stringify({ name: 'Kept', kind: 'dashboard', expires_in_days: 30 })],
    ['evidence/files?name=kept.txt', 'application/octet-stream', 'kept'],
  ])('changes nothing if its body arrives after its sender was removed: %s', async (route, type, body) => {
    const owner = await addPerson(service, organizationId, 'owner');
    const admin = await addPerson(service, organizationId, 'admin');
    const path = `/organizations/${organizationId}`;
    await sql("update sessions set last_seen_at = now() - interval '2 minutes' where person_id = $1", [
      admin.id,
    ]);
    const late = request(`${service.url}/dashboard/api${path}/${route}`, {
      method: 'POST',
      headers: {
        cookie: admin.client.cookie,
        'x-csrf-token': admin.client.csrf,
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      },
    });
    late.flushHeaders();
    await poll('its admission', async () => {
      const seen = await sql(
        "select id from sessions where person_id = $1 and last_seen_at > now() - interval '1 minute'",
        [admin.id],
      );
      return seen[0];
    });
    expect((await owner.client.delete(`${path}/people/${admin.id}`)).status).toBe(200);
    // A body counts as slow after one second.
    await setTimeout(1_100);
    const [answer] = await Promise.all([once(late, 'response'), late.end(body)]);
    expect(answer[0].statusCode, await text(answer[0])).toBe(404);
  });
});
