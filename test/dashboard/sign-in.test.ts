import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCookies } from '../../src/dashboard/cookies.ts';
import { clientNetwork } from '../../src/domain/client-network.ts';
import { makeLink } from '../../src/resources/people/one-time-links.ts';
import { hashToken } from '../../src/resources/people/sessions.ts';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { callsDuring } from '../support/function-calls.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { addPasskey } from '../support/passkey.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { solve } from '../support/proof-of-work.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestNode;
let organizationId: string;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
  organizationId = await service.createOrganization();
});
afterAll(() => service?.close());

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query(text, values)).rows);
const browser = (url = service.url) => new DashboardClient(url);
const signIn = (client: DashboardClient, { email, password }: { email: string; password: string }) =>
  client.post('/sign-in', { email, password });
const actions = async (personId: string) =>
  (await sql(`select action from ${recordedEntries} where object_id = $1 order by sequence`, [personId])).map(
    row => row.action,
  );

/** Signed in with the password, in a new browser. */
async function withPassword(person: TestPerson): Promise<DashboardClient> {
  const client = browser();
  const answer = await signIn(client, person);
  expect(answer.json, answer.text).toMatchObject({ state: 'second_factor' });
  return client;
}

describe('signing in', () => {
  it('requires the password and then a second factor, and reveals nothing before both', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const client = await withPassword(person);
    expect((await client.session()).organizations).toEqual([]);
    for (const path of [`/organizations/${organizationId}/people`, '/account/security']) {
      expect((await client.get(path)).json.error_code).toBe('second_factor_required');
    }
    const before = client.cookie;
    const answer = await client.post('/second-factor', {
      type: 'totp',
      code: await totpCode(person.totpSecret!),
    });
    expect(answer.json).toMatchObject({ state: 'signed_in', organizations: [{ id: organizationId }] });
    expect(client.cookie, 'with a new token').not.toBe(before);
    const old = new DashboardClient(service.url, { cookie: before });
    expect((await old.session()).state).toBe('signed_out');
    expect(await actions(person.id)).toEqual(['person.password_accepted', 'person.signed_in']);
  });

  it('gives the same response, and compares one hash, with and without an account', async () => {
    const { email } = await addPerson(service, organizationId, 'member');
    const known = await signIn(browser(), { email, password: 'not the password 1' });
    const unknown = await signIn(browser(), { email: `x${email}`, password: 'not the password 1' });
    expect([known.status, unknown.status]).toEqual([401, 401]);
    expect(known.text).toBe(unknown.text);
    const hashing = async (address: string) => {
      const calls = await callsDuring(async () => {
        await signIn(browser(), { email: address, password: 'not the password 2' });
      });
      return [...calls].filter(([name]) => /passwords\.ts (compare|hashPassword)$/.test(name));
    };
    expect(await hashing(email)).toEqual([['dashboard/sign-in/passwords.ts compare', 1]]);
    expect(await hashing(`y${email}`)).toEqual([['dashboard/sign-in/passwords.ts compare', 1]]);
  });

  it('sets a cookie that is not available to scripts and other sites, and stores only its hash', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const client = browser();
    const answer = await signIn(client, person);
    const [session, ...others] = answer.headers.getSetCookie();
    expect(session).toMatch(/^parapet_session=.*; HttpOnly; SameSite=Strict$/);
    // It opens nothing, and is sent when a provider redirects back.
    expect(others).toEqual([expect.stringMatching(/^parapet_device=.*; HttpOnly; SameSite=Lax$/)]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const token = client.cookie!.split('=')[1]!;
    const stored = await sql('select s::text as text from sessions s where person_id = $1', [person.id]);
    expect(stored.map(row => row.text).join()).not.toContain(token);
    expect(service.log.join()).not.toContain(token);
  });

  it('binds the cookie to the host and to TLS if the service is reached over TLS', async () => {
    const tls = await startService({ publicUrl: 'https://parapet.example' });
    const organization = await tls.createOrganization();
    const { email } = await addPerson(tls, organization, 'member');
    const answer = await new DashboardClient(tls.url).post(
      '/sign-in',
      { email, password: testPassword },
      { origin: 'https://parapet.example' },
    );
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-parapet_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await tls.close();
  });

  it('expires sessions that are idle for an hour or a day old, and ends those that are signed out', async () => {
    const age = async (assignment: string) => {
      const { client, id } = await addPerson(service, organizationId, 'member');
      await sql(`update sessions set ${assignment} where person_id = $1`, [id]);
      return (await client.session()).state;
    };
    expect(await age("last_seen_at = now() - interval '59 minutes'")).toBe('signed_in');
    expect(await age("last_seen_at = now() - interval '61 minutes'")).toBe('signed_out');
    expect(await age("expires_at = now() - interval '1 second'")).toBe('signed_out');
    const { client } = await addPerson(service, organizationId, 'member');
    const copy = new DashboardClient(other.url, client);
    expect((await client.post('/sign-out')).json.state).toBe('signed_out');
    expect((await copy.session()).state, 'on every node').toBe('signed_out');
  });

  it('ends if its browser signs in again', async () => {
    const { id, client, email, password } = await addPerson(service, organizationId, 'member');
    const former = client.at(service.url);
    await client.post('/sign-in', { email, password });
    expect((await client.session()).state).toBe('signed_in');
    expect((await former.session()).state).toBe('signed_out');
    const ended = await sql(
      `select from ${recordedEntries} where action = 'person.session_ended' and object_id = $1`,
      [id],
    );
    expect(ended).toHaveLength(1);
  });

  it('is not extended by automatic requests of a page', async () => {
    const { client, id } = await addPerson(service, organizationId, 'member');
    await sql("update sessions set last_seen_at = now() - interval '59 minutes' where person_id = $1", [id]);
    const minutesIdle = async () =>
      (
        await sql(
          'select floor(extract(epoch from now() - last_seen_at) / 60)::int as n from sessions where person_id = $1',
          [id],
        )
      )[0].n;
    const read = async (headers: Record<string, string>) => {
      const answer = await client.get(`/organizations/${organizationId}/overview`, headers);
      expect(answer.status, answer.text).toBe(200);
      return minutesIdle();
    };
    expect(await read({ 'x-automatic': '1' })).toBe(59);
    expect(await read({})).toBe(0);
  });
});

describe('a TOTP code', () => {
  it('is accepted once on all nodes, and no earlier one after it', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const code = await totpCode(person.totpSecret!);
    const clients = await Promise.all([withPassword(person), withPassword(person)]);
    const give = (client: DashboardClient, given: string) =>
      client.post('/second-factor', { type: 'totp', code: given });
    const both = await Promise.all([give(clients[0]!, code), give(clients[1]!.at(other.url), code)]);
    expect(both.map(answer => answer.status).sort(), 'at the same moment').toEqual([200, 401]);
    const late = await withPassword(person);
    expect((await give(late, code)).json.error_code, 'replayed').toBe('second_factor_failed');
    expect((await give(late, await totpCode(person.totpSecret!, -1))).status, 'an earlier one').toBe(401);
    expect((await give(late, await totpCode(person.totpSecret!, 1))).status, 'the next one').toBe(200);
  });

  it('is accepted within one time step only, and for its person only', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const stranger = await addPerson(service, organizationId, 'admin');
    const client = await withPassword(person);
    for (const code of [
      await totpCode(person.totpSecret!, 3),
      await totpCode(person.totpSecret!, -3),
      await totpCode(stranger.totpSecret!),
    ]) {
      expect((await client.post('/second-factor', { type: 'totp', code })).status).toBe(401);
    }
  });

  it('belongs to a secret that is stored encrypted', async () => {
    const { id, totpSecret } = await addPerson(service, organizationId, 'admin');
    const [row] = await sql('select t::text as text from totp_factors t where person_id = $1', [id]);
    expect(row!.text).toContain(id);
    expect(row!.text).not.toContain(Buffer.from(totpSecret!).toString('hex'));
  });
});

describe('setting up a second factor', () => {
  it('creates ten backup codes that each work once', async () => {
    const { client, id, email, password } = await addPerson(service, organizationId, 'owner', {
      secondFactor: false,
    });
    expect((await client.session()).state).toBe('enrolment');
    expect((await client.get(`/organizations/${organizationId}/people`)).json.error_code).toBe(
      'second_factor_enrolment_required',
    );
    const { secret, uri } = (await client.post('/account/totp')).json;
    expect(uri).toContain(`secret=${secret}`);
    expect((await client.post('/account/totp/confirm', { code: '000000' })).json.error_code).toBe(
      'second_factor_failed',
    );
    const enrolled = await client.post('/account/totp/confirm', { code: await totpCode(secret) });
    expect(new Set(enrolled.json.backup_codes).size).toBe(10);
    expect((await client.session()).state).toBe('signed_in');

    const [code] = enrolled.json.backup_codes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const statuses = [];
    for (const given of [typed, code]) {
      const again = await withPassword({ id, email, password, totpSecret: secret, client });
      statuses.push((await again.post('/second-factor', { type: 'backup_code', code: given })).status);
    }
    expect(statuses).toEqual([200, 401]);
    expect((await client.get('/account/security')).json.backup_codes_left).toBe(9);
    const stored = await sql('select string_agg(b::text, $1) as text from backup_codes b', [',']);
    expect(stored[0]!.text).not.toContain(Buffer.from(enrolled.json.backup_codes[1]).toString('hex'));
  });

  it('ends every other session', async () => {
    const { client, id } = await addPerson(service, organizationId, 'member');
    const elsewhere = browser();
    const email = (await sql('select email from people where id = $1', [id]))[0]!.email;
    expect((await signIn(elsewhere, { email, password: testPassword })).json.state).toBe('signed_in');
    const { secret } = (await client.post('/account/totp')).json;
    await client.post('/account/totp/confirm', { code: await totpCode(secret) });
    expect((await elsewhere.session()).state).toBe('signed_out');
  });

  it('requires a step-up if one exists already, and never leaves an owner without', async () => {
    const owner = await addPerson(service, organizationId, 'owner', { steppedUp: false });
    expect((await owner.client.post('/account/totp')).json.error_code).toBe('step_up_required');
    expect((await owner.client.delete('/account/totp')).json.error_code).toBe('step_up_required');
    await owner.client.post('/second-factor', { type: 'totp', code: await totpCode(owner.totpSecret!) });
    expect((await owner.client.delete('/account/totp')).json.error_code).toBe('last_second_factor');
    expect((await owner.client.get('/account/security')).json.totp_set_up_at).not.toBeNull();
    const member = await addPerson(service, organizationId, 'member', {
      secondFactor: true,
      steppedUp: true,
    });
    expect((await member.client.delete('/account/totp')).status).toBe(200);
    expect((await member.client.session()).state).toBe('signed_in');
  });

  it('never leaves an admin without, even if the role changed while the removal waited', async () => {
    const member = await addPerson(service, organizationId, 'member', { secondFactor: true });
    const lock = `select from people where id = '${member.id}' for update;
      update memberships set role = 'admin' where person_id = '${member.id}'`;
    const [answer] = await raceBehindLock(service.database.connection, lock, [
      () => member.client.delete('/account/totp'),
    ]);
    expect(answer!.json.error_code).toBe('last_second_factor');
    expect((await member.client.get('/account/security')).json.totp_set_up_at).not.toBeNull();
  });

  it('creates backup codes again after all factors were removed, in the same session too', async () => {
    const { client } = await addPerson(service, organizationId, 'member');
    const enrol = async () => {
      const { secret } = (await client.post('/account/totp')).json;
      return (await client.post('/account/totp/confirm', { code: await totpCode(secret) })).json.backup_codes;
    };
    const first = await enrol();
    expect((await client.delete('/account/totp')).status).toBe(200);
    expect((await client.session()).second_factors.backup_codes_left).toBe(0);
    const again = await enrol();
    expect(new Set([...first, ...again]).size).toBe(20);
    expect((await client.session()).second_factors.backup_codes_left).toBe(10);
  });

  it('keeps the old secret until a code of the new one is entered', async () => {
    const { client, totpSecret } = await addPerson(service, organizationId, 'admin', { steppedUp: true });
    const { secret } = (await client.post('/account/totp')).json;
    const give = async (of: string) =>
      (await client.post('/second-factor', { type: 'totp', code: await totpCode(of) })).status;
    expect(await give(secret)).toBe(401);
    expect(await give(totpSecret!)).toBe(200);
    expect((await client.post('/account/totp/confirm', { code: await totpCode(secret) })).json).toEqual({
      backup_codes: null,
    });
    const next = await totpCode(secret, 1);
    expect((await client.post('/second-factor', { type: 'totp', code: next })).status).toBe(200);
  });
});

describe('guessing', () => {
  const guess = (client: DashboardClient, email: string, address: string) =>
    client.post('/sign-in', { email, password: 'a wrong password' }, { 'x-forwarded-for': address });

  it('is delayed longer each time, across all nodes, even with the correct password', async () => {
    const { email, password } = await addPerson(service, organizationId, 'member');
    const nodes = [browser(), browser(other.url)];
    const first = await Promise.all(
      Array.from({ length: 12 }, (_, index) => guess(nodes[index % 2]!, email, '198.51.100.7')),
    );
    expect(first.filter(answer => answer.status === 401)).toHaveLength(6);
    const refused = first.filter(answer => answer.status === 429);
    expect(refused).toHaveLength(6);
    expect(refused[0]!.json.error_code).toBe('too_many_attempts');
    expect([1, 2]).toContain(refused[0]!.json.retry_after_seconds);
    const wait = async () =>
      (
        await sql(
          'select max(extract(epoch from blocked_until - last_attempt_at))::int as s from sign_in_attempts where blocked_until > now()',
        )
      )[0]!.s;
    const waits: number[] = [];
    for (let round = 0; round < 12; round++) {
      waits.push(await wait());
      await sql('update sign_in_attempts set blocked_until = now() where blocked_until > now()');
      expect((await guess(nodes[0]!, email, '198.51.100.7')).status).toBe(401);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    const right = await nodes[1]!.post(
      '/sign-in',
      { email, password },
      { 'x-forwarded-for': '198.51.100.7' },
    );
    expect(right.status).toBe(429);
    const owner = await nodes[1]!.post('/sign-in', { email, password }, { 'x-forwarded-for': '203.0.113.9' });
    expect(owner.status, 'its owner, from elsewhere').toBe(200);
  });

  it('does not delay a browser with an earlier sign-in, which has its own limit', async () => {
    const { email, password } = await addPerson(service, organizationId, 'member');
    const home = browser();
    expect((await signIn(home, { email, password })).status).toBe(200);
    for (let index = 0; index < 26; index++) {
      await guess(browser(), email, `198.51.100.${100 + index}`);
      await sql('update sign_in_attempts set blocked_until = now() where failures < 24');
    }
    const anywhere = { 'x-forwarded-for': '203.0.113.21' };
    const elsewhere = await browser().post('/sign-in', { email, password }, anywhere);
    expect(elsewhere.json).toMatchObject({ error_code: 'too_many_attempts', retry_after_seconds: 16 });
    await home.post('/sign-out');
    const known = home.at(other.url);
    expect((await known.post('/sign-in', { email, password }, anywhere)).status).toBe(200);
    // The cookie of one account does not help for another, and neither does a made-up one.
    const stranger = await addPerson(service, organizationId, 'member');
    await sql(
      `update sign_in_attempts set subject = subject, blocked_until = now() + interval '1 minute' where failures > 20`,
    );
    const borrowed = browser();
    await signIn(borrowed, stranger);
    borrowed.cookie = undefined;
    expect((await borrowed.post('/sign-in', { email, password }, anywhere)).status).toBe(429);
    const guesses: number[] = [];
    for (let index = 0; index < 8; index++) guesses.push((await guess(known, email, '203.0.113.22')).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  it('from the copy of a known browser delays its owner only by a proof of work', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const { email, password } = person;
    const home = browser();
    await signIn(home, person);
    await home.post('/sign-out');
    const copy = home.at(service.url);
    const block = () =>
      sql(
        "update sign_in_attempts set blocked_until = now() + interval '9 minutes' where blocked_until > now() - interval '1 minute'",
      );
    const guessUntilRefused = async (client: DashboardClient, address: string) => {
      for (let index = 0; index < 7; index++) {
        const { status } = await guess(client, email, address);
        await block();
        if (status === 429) return;
      }
    };
    await guessUntilRefused(copy, '203.0.113.31');
    await guessUntilRefused(copy, '203.0.113.31');
    const refused = await home.post('/sign-in', { email, password }, { 'x-forwarded-for': '203.0.113.31' });
    expect(refused.status, 'in the network of the copy').toBe(429);
    const { challenge, bits } = refused.json.proof_of_work;
    const proof_of_work = { challenge, solution: solve(challenge, bits) };
    const from = (address: string, body: object) =>
      home.at(service.url).post('/sign-in', { email, password, ...body }, { 'x-forwarded-for': address });
    expect((await from('203.0.113.31', { proof_of_work })).status).toBe(200);
    expect((await from('203.0.113.32', {})).status, 'elsewhere').toBe(200);
  });

  it('from the copy of a known browser stops at the next complete sign-in there', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const colleague = await addPerson(service, organizationId, 'member');
    const tokens = () => home.otherCookies.get('parapet_device')!.split('.');
    const knownTo = async (id: string) =>
      (await sql('select token_hash from known_devices where person_id = $1', [id])).map(row =>
        row.token_hash.toString('hex'),
      );
    const hashes = () => tokens().map(token => hashToken(token).toString('hex'));
    const home = await withPassword(person);
    expect(home.otherCookies.has('parapet_device'), 'not complete').toBe(false);
    const complete = async (steps: number) =>
      home.post('/second-factor', { type: 'totp', code: await totpCode(person.totpSecret!, steps) });
    await complete(0);
    const [first] = hashes();
    expect(await knownTo(person.id)).toEqual([first]);
    await home.post('/sign-out');
    await signIn(home, person);
    expect(hashes(), 'not complete').toEqual([first]);
    await complete(1);
    const [second] = hashes();
    expect(second).not.toBe(first);
    expect(await knownTo(person.id)).toEqual([second]);
    // Another person who signs in there gets a separate token.
    await home.post('/sign-out');
    await signIn(home, colleague);
    expect(hashes().slice(1)).toEqual([second]);
    expect(await knownTo(person.id)).toEqual([second]);
    expect(await knownTo(colleague.id)).toEqual([hashes()[0]]);
  });

  it('in other browsers, known by the password alone, has no separate limit after the first second factor', async () => {
    const person = await addPerson(service, organizationId, 'member', { secondFactor: false });
    const [home, elsewhere] = [browser(), browser()];
    await signIn(elsewhere, person);
    await signIn(home, person);
    const known = () => sql('select token_hash from known_devices where person_id = $1', [person.id]);
    expect(await known()).toHaveLength(2);
    const { secret } = (await home.post('/account/totp')).json;
    expect((await home.post('/account/totp/confirm', { code: await totpCode(secret) })).status).toBe(200);
    const token = home.otherCookies.get('parapet_device')!.split('.')[0]!;
    expect((await known()).map(row => row.token_hash)).toEqual([hashToken(token)]);
  });

  it('in other browsers has no separate limit after a step-up and the end of other sessions', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const [home, elsewhere] = [browser(), browser()];
    await signIn(elsewhere, person);
    await signIn(home, person);
    const known = async () =>
      (await sql('select from known_devices where person_id = $1', [person.id])).length;
    await sql('update sessions set stepped_up_at = null where person_id = $1', [person.id]);
    expect((await home.post('/account/sessions/end-others')).status).toBe(200);
    expect(await known(), 'a stolen session').toBe(2);
    await home.post('/step-up/password', { password: person.password });
    expect((await home.post('/account/sessions/end-others')).status).toBe(200);
    expect(await known()).toBe(1);
    await sql('delete from sign_in_attempts');
    for (let index = 0; index < 7; index++) await guess(browser(), person.email, '203.0.113.41');
    const { email, password } = person;
    const signInAt = (client: DashboardClient) =>
      client.post('/sign-in', { email, password }, { 'x-forwarded-for': '203.0.113.41' });
    expect((await signInAt(elsewhere)).status).toBe(429);
    expect((await signInAt(home)).status).toBe(200);
  });

  it('does not delay an attempt with a proof of work, valid once and for this address', async () => {
    const { email, password } = await addPerson(service, organizationId, 'member');
    const from = { 'x-forwarded-for': '198.51.100.61' };
    for (let index = 0; index < 7; index++) await guess(browser(), email, '198.51.100.61');
    // Computing a solution may take longer than the first delays.
    const block = () =>
      sql(
        "update sign_in_attempts set blocked_until = now() + interval '9 minutes' where blocked_until > now() - interval '1 minute'",
      );
    await block();
    const blocked = await browser().post('/sign-in', { email, password }, from);
    expect(blocked.json.proof_of_work.bits).toBe(18);
    const { challenge } = blocked.json.proof_of_work;
    const solution = solve(challenge, 18);
    const pay = (body: object, node = service.url) =>
      browser(node).post(
        '/sign-in',
        { email, password, proof_of_work: { challenge, solution }, ...body },
        from,
      );
    expect((await pay({ proof_of_work: { challenge, solution: solution + 1 } })).status, 'unsolved').toBe(
      429,
    );
    const ownChallenge = challenge.replace(/^[^.]+/, 'x'.repeat(22));
    const made = { challenge: ownChallenge, solution: solve(ownChallenge, 18) };
    expect((await pay({ proof_of_work: made })).status, 'not issued here').toBe(429);
    const next = await addPerson(service, organizationId, 'member');
    for (let index = 0; index < 7; index++) await guess(browser(), next.email, '198.51.100.61');
    await block();
    expect((await pay({ email: next.email })).status, 'for another address').toBe(429);
    expect((await pay({ password: 'a wrong password' }, other.url)).status).toBe(401);
    expect((await pay({})).status, 'a second time').toBe(429);
    const again = (await browser().post('/sign-in', { email, password }, from)).json.proof_of_work;
    const paid = { challenge: again.challenge, solution: solve(again.challenge, 18) };
    expect((await pay({ proof_of_work: paid })).status).toBe(200);
  });

  it('at many accounts from one place is delayed, and an own account grants no new guesses', async () => {
    const own = await addPerson(service, organizationId, 'member');
    const from = { 'x-forwarded-for': '198.51.100.99' };
    const statuses: number[] = [];
    for (let index = 0; index < 26; index++) {
      for (const email of [`a${index}@example.org`, `b${index}@example.org`]) {
        statuses.push((await guess(browser(), email, from['x-forwarded-for'])).status);
      }
      const { email, password } = own;
      if (index < 25) expect((await browser().post('/sign-in', { email, password }, from)).status).toBe(200);
    }
    expect(statuses).toEqual([...Array(51).fill(401), 429]);
  });

  it('from one network is delayed even with a proof of work, but not with the password and a factor', async () => {
    const owner = await addPerson(service, organizationId, 'owner');
    const { email, password } = owner;
    const address = '198.51.100.62';
    for (let index = 0; index < 51; index++) await guess(browser(), `c${index}@example.org`, address);
    await sql(
      "update sign_in_attempts set blocked_until = now() + interval '9 minutes' where blocked_until > now() - interval '1 minute'",
    );
    const networkBlocked = async () =>
      (
        await sql(
          "select blocked_until > now() + interval '8 minutes' as b, failures from sign_in_attempts where failures > 50",
        )
      )[0];
    const before = await networkBlocked();
    expect(before).toMatchObject({ b: true });
    const send = (body: object) =>
      browser().post('/sign-in', { email, ...body }, { 'x-forwarded-for': address });
    const pay = async (body: object) => {
      const work = (await send({ ...body, second_factor: await code() })).json.proof_of_work;
      return send({
        ...body,
        proof_of_work: { challenge: work.challenge, solution: solve(work.challenge, 18) },
      });
    };
    const code = async () => ({ type: 'totp', code: await totpCode(owner.totpSecret!) });
    const wrong = { type: 'totp', code: '000000' };

    const alone = await pay({ password });
    expect(alone.status, 'the password alone, paid').toBe(429);
    expect(alone.json).toMatchObject({ with_second_factor: true, retry_after_seconds: expect.any(Number) });
    expect(alone.json.proof_of_work).toBeUndefined();
    const unpaid = await send({ password, second_factor: await code() });
    expect(unpaid.status, 'both factors, unpaid').toBe(429);
    const answers = [
      await pay({ password: 'a wrong password', second_factor: wrong }),
      await pay({ password, second_factor: wrong }),
    ];
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).error_code])).toEqual([
      [401, 'sign_in_failed'],
      [401, 'sign_in_failed'],
    ]);
    const joint = await pay({ password, second_factor: await code() });
    expect(joint.json, joint.text).toMatchObject({ state: 'signed_in' });
    expect(await networkBlocked(), 'the guesser still has no free attempts').toEqual(before);
    expect((await guess(browser(), 'd@example.org', address)).status).toBe(429);
  });

  it('of a code along with the password is counted like codes alone, and only with the correct password', async () => {
    const owner = await addPerson(service, organizationId, 'owner');
    const { email, password } = owner;
    const joint = (body: object, index: number) =>
      browser().post(
        '/sign-in',
        { email, second_factor: { type: 'totp', code: '000000' }, ...body },
        { 'x-forwarded-for': `198.51.101.${index}` },
      );
    const totpFailures = async () =>
      (
        await sql('select failures from sign_in_attempts where subject = $1', [
          createHash('sha256')
            .update(JSON.stringify(['totp', owner.id, 'unknown device']))
            .digest(),
        ])
      )[0]?.failures;
    for (let index = 0; index < 8; index++) await joint({ password: 'a wrong password' }, index);
    expect(await totpFailures(), 'without the password').toBeUndefined();
    for (let index = 0; index < 8; index++) expect((await joint({ password }, 50 + index)).status).toBe(401);
    expect(await totpFailures()).toBe(6);
    const code = { type: 'totp', code: await totpCode(owner.totpSecret!) };
    expect((await joint({ password, second_factor: code }, 99)).status, 'while codes wait').toBe(401);
  });

  it('of codes is delayed, without delaying known browsers, backup codes or passkeys', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const home = await withPassword(person);
    const code = await totpCode(person.totpSecret!);
    expect((await home.post('/second-factor', { type: 'totp', code })).status).toBe(200);
    const { backup_codes } = (await home.post('/account/backup-codes')).json;
    const attacker = await withPassword(person);
    const answers = [];
    for (let index = 0; index < 8; index++) {
      answers.push((await attacker.post('/second-factor', { type: 'totp', code: '123456' })).status);
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    // Six guesses a day, with three of a million codes valid at a time.
    for (let round = 0; round < 14; round++) {
      await sql('update sign_in_attempts set blocked_until = now() where blocked_until > now()');
      await attacker.post('/second-factor', { type: 'totp', code: '123456' });
    }
    const late = await attacker.post('/second-factor', { type: 'totp', code: '123456' });
    expect(late.json.retry_after_seconds).toBeGreaterThan(4 * 3600 - 60);

    await home.post('/sign-out');
    await signIn(home, person);
    const now = { type: 'totp', code: await totpCode(person.totpSecret!, 1) };
    expect((await home.post('/second-factor', now)).status, 'a known browser').toBe(200);
    const fresh = await withPassword(person);
    expect((await fresh.post('/second-factor', { type: 'totp', code: '123456' })).status).toBe(429);
    const backup = { type: 'backup_code', code: backup_codes[0] };
    expect((await fresh.post('/second-factor', backup)).status, 'a backup code').toBe(200);
  });

  it('is delayed for all addresses of an IPv6 customer together', async () => {
    const { email } = await addPerson(service, organizationId, 'member');
    const from = (index: number) => guess(browser(), email, `2001:db8:7:7:${index}::${index + 1}`);
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++) statuses.push((await from(index)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
    expect((await guess(browser(), email, '2001:db8:7:8::1')).status, 'the next customer').toBe(401);
  });

  it('is counted by address, ignoring ports and text that a proxy passes on', async () => {
    const { email } = await addPerson(service, organizationId, 'member');
    const statuses: number[] = [];
    for (let port = 1; port <= 7; port++) {
      statuses.push((await guess(browser(), email, `198.51.100.151:${port}`)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
    const other = await addPerson(service, organizationId, 'member');
    const texts: number[] = [];
    for (let index = 0; index < 7; index++) {
      texts.push((await guess(browser(), other.email, `client-${index}, 127.0.0.1`)).status);
    }
    expect(texts, "the proxy's own").toEqual([401, 401, 401, 401, 401, 401, 429]);
  });

  it('is in the audit log of the guessed account shortly after, and immediately when the service stops', async () => {
    const { id, email } = await addPerson(service, organizationId, 'member');
    const entries = () =>
      sql(
        `select extract(epoch from occurred_at - (select max(last_attempt_at) from sign_in_attempts))::float8 as later
          from ${recordedEntries} where action = 'person.sign_in_failed' and object_id = $1 order by sequence`,
        [id],
      );
    await guess(browser(), email, '198.51.100.121');
    expect(await entries()).toEqual([]);
    const first = await poll('the entry', async () => (await entries())[0]);
    expect(first.later).toBeGreaterThan(0.4);
    const node = await service.addNode();
    await guess(browser(node.url), email, '198.51.100.122');
    await node.close();
    expect(await entries()).toHaveLength(2);
  });

  it('adds little to the audit log however often it is made', async () => {
    const { id, email } = await addPerson(service, organizationId, 'member');
    const node = await service.addNode();
    const wrong = {
      email,
      password: 'a wrong password',
      second_factor: { type: 'backup_code', code: 'AAAA-AAAA-AAAA-AAAA' },
    };
    const send = (body: object) => browser(node.url).post('/sign-in', { ...wrong, ...body });
    for (let guess = 0; guess < 26; guess++) {
      const { status, json } = await send({});
      if (status === 401) continue;
      const { challenge, bits } = json.proof_of_work;
      expect((await send({ proof_of_work: { challenge, solution: solve(challenge, bits) } })).status).toBe(
        401,
      );
    }
    await node.close();
    const entries = await sql(
      `select detail from ${recordedEntries} where action = 'person.sign_in_failed' and object_id = $1 order by sequence`,
      [id],
    );
    expect(entries.map(({ detail }) => detail)).toEqual([
      ...Array(20).fill({}),
      { attempts: 6, since: expect.any(String), addresses: ['127.0.0.1'] },
    ]);
  });

  it('does not lock out a person with the password and a factor in a known browser, whatever their network sends', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const passkey = await addPasskey(service, person);
    const office = { 'x-forwarded-for': '198.51.100.140' };
    const post = (client: DashboardClient, path: string, body: object = {}) =>
      client.post(path, body, office);
    const home = browser();
    const signInBy = async (factor: () => Promise<object>) => {
      const begin = await post(home, '/sign-in', { email: person.email, password: person.password });
      expect(begin.status, begin.text).toBe(200);
      const { status, text } = await post(home, '/second-factor', await factor());
      expect(status, text).toBe(200);
    };
    const byPasskey = async () => {
      const { challenge } = (await post(home, '/second-factor/passkey-options')).json.options;
      return { type: 'passkey', response: passkey.answer(challenge) };
    };
    await signInBy(byPasskey);
    const [code] = (await home.post('/account/backup-codes')).json.backup_codes;

    let over = false;
    const refused: number[] = [];
    const junk = Array.from({ length: 4 }, async (_, index) => {
      const client = browser();
      if (index % 2) await post(client, '/sign-in/passkey/options');
      const challenges = new Map(client.otherCookies);
      while (!over) {
        for (const [name, value] of challenges) client.otherCookies.set(name, value);
        refused.push((await post(client, '/sign-in/passkey', { response: { id: 'AAAA' } })).status);
      }
    });
    try {
      await poll('as many as are free, and more', async () => (refused.length > 60 ? true : undefined), 30);
      await signInBy(async () => ({ type: 'backup_code', code }));
      await signInBy(async () => ({ type: 'totp', code: await totpCode(person.totpSecret!) }));
      await signInBy(byPasskey);
      const elsewhere = browser();
      const { challenge } = (await post(elsewhere, '/sign-in/passkey/options')).json.options;
      const answer = await post(elsewhere, '/sign-in/passkey', { response: passkey.answer(challenge) });
      expect(answer.status, answer.text).toBe(200);
    } finally {
      over = true;
      await Promise.allSettled(junk);
    }
    expect(new Set(refused)).toEqual(new Set([400]));
  });

  it('stores nothing, and takes no place in the queue, while it is delayed', async () => {
    const from = '198.51.100.113';
    for (let index = 0; index < 51; index++) await guess(browser(), `w${index}@example.org`, from);
    // Waiting in the queue may take longer than the first delays.
    await sql(
      "update sign_in_attempts set blocked_until = now() + interval '9 minutes' where blocked_until > now()",
    );
    const kept = async () => (await sql('select count(*)::int as n from sign_in_attempts'))[0]!.n;
    const before = await kept();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => guess(browser(), `v${index}@example.org`, from)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await kept()).toBe(before);
  });

  it('in a flood is refused immediately, without affecting known browsers or proofs of work', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const stranger = await addPerson(service, organizationId, 'member');
    const home = browser();
    expect((await signIn(home, person)).status).toBe(200);
    const statuses: number[] = [];
    let over = false;
    const flood = Array.from({ length: 150 }, async (_, index) => {
      for (let round = 0; !over; round++) {
        const address = `10.${index}.${round >> 8}.${round & 255}`;
        const answer = await guess(browser(), `flood-${index}-${round}@example.org`, address);
        statuses.push(answer.status);
        if (answer.status === 503)
          expect(answer.json).toMatchObject({ error_code: 'too_busy', retry_after_seconds: 1 });
      }
    });
    const own: number[] = [];
    const paid: number[] = [];
    const work = async (round: number) => {
      const { email, password } = stranger;
      const from = { 'x-forwarded-for': `198.51.101.${round}` };
      // If the service was idle for a moment, it has counted a guess instead, and requires work for a short time.
      const { challenge } = await poll('a refusal with a proof of work to do', async () => {
        const refused = await guess(browser(), email, `198.51.102.${paid.length}`);
        return refused.json.proof_of_work;
      });
      const proof_of_work = { challenge, solution: solve(challenge, 18) };
      return (await browser().post('/sign-in', { email, password, proof_of_work }, from)).status;
    };
    try {
      await poll('a refusal', async () => (statuses.includes(503) ? true : undefined), 30);
      // Refusals do not wait for queued requests.
      expect(statuses.indexOf(503)).toBeLessThan(64);
      for (let round = 0; round < 3; round++) own.push((await signIn(home, person)).status);
      for (let round = 0; round < 3; round++) paid.push(await work(round));
    } finally {
      over = true;
      await Promise.allSettled(flood);
    }
    await Promise.all(flood);
    expect(own).toEqual([200, 200, 200]);
    expect(paid).toEqual([200, 200, 200]);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
  });

  it('is counted by IPv6 customer, and by IPv4 address in any notation', async () => {
    const six = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff::2', '2001:db8:1:2:3:4:5:6'];
    expect(new Set(six.map(clientNetwork))).toEqual(new Set(['2001:db8:1:2::/64']));
    expect(clientNetwork('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(clientNetwork('::1')).toBe('0:0:0:0::/64');
    for (const four of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
      expect(clientNetwork(four), four).toBe('192.0.2.7');
    }
  });
});

describe('a new password', () => {
  it('is refused if it is short, breached, easy to guess, or contains known facts', async () => {
    const { client } = await addPerson(service, organizationId, 'owner', { steppedUp: true });
    const change = async (password: string) => {
      const { status, json } = await client.post('/account/password', {
        current_password: testPassword,
        password,
      });
      return json.fields?.[0]?.message ?? status;
    };
    expect(await change('short')).toMatch(/at least 12/);
    expect(await change('qwertyuiop123')).toMatch(/breached/);
    expect(await change('aaaaaaaaaaaaaaaaaaaaaaaa')).toMatch(/guess/);
    expect(await change('owner-example.org')).toMatch(/guess/);
    expect(await change('meadow brick falcon 29')).toBe(200);
  });

  it('requires the current one, and ends every other session', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const elsewhere = browser();
    await signIn(elsewhere, person);
    const change = (current_password: string) =>
      person.client.post('/account/password', { current_password, password: 'meadow brick falcon 29' });
    expect((await change('not it at all')).json.error_code).toBe('password_wrong');
    const link = await makeLink(service.storage.people, person.id);
    const devices = () => sql('select token_hash from known_devices where person_id = $1', [person.id]);
    const before = (await devices()).map(row => row.token_hash.toString('hex'));
    expect(before).toHaveLength(1);
    expect((await change(testPassword)).json.ended).toBe(1);
    expect((await elsewhere.session()).state).toBe('signed_out');
    expect((await person.client.session()).state).toBe('signed_in');
    const { status } = await elsewhere.post('/password-reset/preview', { token: link.token });
    expect(status, 'an earlier link').toBe(400);
    const after = (await devices()).map(row => row.token_hash.toString('hex'));
    expect(after, 'only this browser stays known').toHaveLength(1);
    expect(before).not.toContain(after[0]);
  });

  it('gives its session a new token, so that a copy of it is signed out, and is not a step-up', async () => {
    const { client, id } = await addPerson(service, organizationId, 'owner');
    const copy = new DashboardClient(service.url, client);
    await sql("update sessions set stepped_up_at = now() - interval '4 minutes' where person_id = $1", [id]);
    const before = (await client.session()).stepped_up_until;
    const body = { current_password: testPassword, password: 'meadow brick falcon 29' };
    expect((await client.post('/account/password', body)).status).toBe(200);
    expect((await copy.session()).state).toBe('signed_out');
    expect(await client.session()).toMatchObject({ state: 'signed_in', stepped_up_until: before });
    expect((await client.get('/step-up')).status, 'with the new token').toBe(200);
  });

  it('can be set with the operator’s link, once, and does not replace the second factor', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const { token } = await makeLink(service.storage.people, person.id);
    const client = browser();
    expect((await client.post('/password-reset/preview', { token })).json.email).toBe(person.email);
    const answer = await client.post('/password-reset', { token, password: 'meadow brick falcon 29' });
    expect(answer.json, answer.text).toMatchObject({ state: 'second_factor' });
    expect((await person.client.session()).state, 'earlier sessions').toBe('signed_out');
    const again = await browser().post('/password-reset', { token, password: 'meadow brick falcon 30' });
    expect(again.json.error_code).toBe('link_invalid');
  });
});

describe('sessions', () => {
  it('are listed and ended only by their person', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const elsewhere = browser();
    await signIn(elsewhere, person);
    const { sessions } = (await person.client.get('/account/security')).json;
    expect(sessions.map((session: { current: boolean }) => session.current)).toEqual([true, false]);
    const stranger = await addPerson(service, organizationId, 'owner');
    const path = `/account/sessions/${sessions[1].id}`;
    expect((await stranger.client.delete(path)).status).toBe(404);
    expect((await person.client.delete(path)).json).toEqual({ ended: 1 });
    expect((await elsewhere.session()).state).toBe('signed_out');
  });
});

it('reads its own cookies after those added by another site of the domain', async () => {
  const { client } = await addPerson(service, organizationId, 'member', { secondFactor: false });
  const others = Array.from({ length: 60 }, (_, index) => [
    `parapet_a${index}=1`,
    `__Host-parapet_session=${index}`,
  ]);
  const cookie = [...others.flat(), client.cookie, 'parapet_session=x'].join('; ');
  expect((await new DashboardClient(service.url, { cookie, csrf: client.csrf }).session()).state).toBe(
    'signed_in',
  );
  const bound = { publicUrl: 'https://parapet.example' };
  const sent =
    'parapet_session=1; __Host-parapet_session=2; __Host-parapet_session=3; __Host-parapet_oidc=a:b';
  expect(ownCookies(sent, bound)).toBe('__Host-parapet_session=2; __Host-parapet_oidc=a:b');
});

it('reads its own cookies among thousands of others', async () => {
  const person = await addPerson(service, organizationId, 'member', { secondFactor: false });
  const others = (length: number) => Array.from({ length }, (_, index) => `c${index}=`).join('; ');
  const among = new DashboardClient(service.url, {
    cookie: `${others(600)}; ${person.client.cookie}; ${others(600)}`,
    csrf: person.client.csrf,
  });
  expect((await among.session()).state).toBe('signed_in');
  const begun = process.cpuUsage();
  for (let index = 0; index < 50; index++) ownCookies(others(2_500), { publicUrl: undefined });
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 50 / 1_000, 'milliseconds').toBeLessThan(1);
});
