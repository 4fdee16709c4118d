import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csrfToken } from '../../src/dashboard/cross-site.ts';
import { insertSession } from '../../src/resources/people/sessions.ts';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { addPasskey } from '../support/passkey.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  createDashboardFixture,
  type DashboardFixture,
  type DashboardRoute,
  dashboardRoutes,
} from './routes.ts';

let service: TestService;
let fixture: DashboardFixture;
beforeAll(async () => {
  service = await startService();
  fixture = await createDashboardFixture(service);
});
afterAll(() => service?.close());

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query(text, values)).rows);

/**
 * Tables that sessions may change: sessions themselves, counters and logs, and what routes declare as needing no
 * step-up.
 */
const passing = new Set([
  'audit_entries',
  'audit_heads',
  'change_counts',
  'data_versions',
  'finding_comments',
  'finding_mentions',
  'last_scans',
  'nonces_0',
  'nonces_1',
  'nonces_2',
  'notices',
  'notification_settings',
  'outbox',
  'pending_audit_entries',
  'scan_runs',
  'scans',
  'sessions',
  'sign_in_attempts',
  'view_alerts',
]);

/** The parts of other tables that must not change. */
const lastingParts: Record<string, string> = {
  finding_views: 'select * from finding_views where shared',
  person_preferences:
    'select person_id, confirmed_email from person_preferences where confirmed_email is not null',
  sources:
    'select id, system_id, name, kind, host, risk_accepted_at, scan_authorized_at from sources where risk_accepted_at is not null',
};

/** Every row of every other table, sorted. */
async function lastingRows(): Promise<string[]> {
  const tables = await sql("select tablename as name from pg_tables where schemaname = 'public' order by 1");
  const rows: string[] = [];
  for (const { name } of tables.filter(table => !passing.has(table.name))) {
    const part = lastingParts[name] ?? `select * from ${name}`;
    for (const { row } of await sql(`select t::text as row from (${part}) t order by 1`)) {
      rows.push(`${name} ${row}`);
    }
  }
  return rows;
}

/** People whose session was stolen some time after they signed in. */
const situations: Record<string, () => Promise<TestPerson>> = {
  'an owner with an authenticator app': () =>
    addPerson(service, fixture.organizationId, 'owner', { steppedUp: false }),
  'a member without a second factor': () =>
    addPerson(service, fixture.organizationId, 'member', { steppedUp: false }),
  'an owner who has to set up a second factor': () =>
    addPerson(service, fixture.organizationId, 'owner', { secondFactor: false, steppedUp: false }),
  'a person who has just returned from the provider': async () => {
    const person = await addPerson(service, fixture.organizationId, 'member', { steppedUp: false });
    await sql('update people set password_hash = null, email_verified_at = now() where id = $1', [person.id]);
    await sql(
      "insert into person_identities (issuer, subject, person_id) values ('https://idp', $1::text, $1::uuid)",
      [person.id],
    );
    const token = randomBytes(32).toString('base64url');
    await insertSession(service.storage.people, {
      personId: person.id,
      token,
      address: '127.0.0.1',
      userAgent: 'test',
    });
    const client = new DashboardClient(service.url, {
      cookie: `parapet_session=${token}`,
      csrf: csrfToken(token),
    });
    return { ...person, client };
  },
};

/** What a thief has: the cookie, and the token derived from it. */
function thiefOf({ client }: TestPerson): DashboardClient {
  const [, token] = client.cookie!.split('=');
  return new DashboardClient(service.url, { cookie: client.cookie, csrf: csrfToken(token!) });
}

/** A valid body, except for the password, which a thief does not know. */
function bodyOf(route: DashboardRoute): string | undefined {
  const body = route.body && JSON.stringify(route.body(fixture));
  return body?.replaceAll(testPassword, 'not their password');
}

function send(route: DashboardRoute, client: DashboardClient) {
  const path = route.pattern
    .replace(':organization', fixture.organizationId)
    .replace(':control', '164.312(b)')
    .replace(':id', route.id?.(fixture) ?? '');
  const type = route.bytes === undefined ? {} : { 'content-type': 'application/octet-stream' };
  const query = route.query ? `?${route.query}` : '';
  return client.request(route.method, path + query, route.bytes ?? bodyOf(route), type);
}

const needsStepUp = ({ method, pattern }: DashboardRoute) =>
  service.dashboardRoutes.get(`${method} /dashboard/api${pattern}`)?.stepUp === true;

const mayLast = ({ method, stepUp }: DashboardRoute) => method !== 'GET' || stepUp === true;

describe.each(Object.entries(situations))('the stolen session of %s', (_name, steal) => {
  it('has no lasting effect', async () => {
    const victim = await steal();
    const before = await lastingRows();
    for (const route of dashboardRoutes.filter(mayLast)) {
      const name = `${route.method} /dashboard/api${route.pattern}`;
      const { stepUp } = service.dashboardRoutes.get(name)!;
      const answer = await send(route, thiefOf(victim));
      if (stepUp !== true) {
        // Signing out and the like: each states why it needs no step-up.
        expect(stepUp?.notNeeded, name).toMatch(/^[A-Z].{8,}\.$/);
        await sql('update sessions set ended_at = null where person_id = $1', [victim.id]);
        continue;
      }
      expect(answer.status, `${name}: ${answer.text.slice(0, 200)}`).toBe(403);
      if (answer.json.error_code) {
        expect(['step_up_required', 'second_factor_enrolment_required'], name).toContain(
          answer.json.error_code,
        );
      }
    }
    expect(await lastingRows()).toEqual(before);
  });
});

describe('a session', () => {
  const rename = (client: DashboardClient) => client.request('PATCH', '/account', { name: 'New name' });

  it('continues with a new token if all others are ended after a step-up', async () => {
    const owner = await addPerson(service, fixture.organizationId, 'owner');
    const copy = thiefOf(owner);
    expect((await owner.client.post('/account/sessions/end-others')).status).toBe(200);
    expect((await copy.session()).state).toBe('signed_out');
    expect((await owner.client.session()).state).toBe('signed_in');
    const stale = await addPerson(service, fixture.organizationId, 'owner', { steppedUp: false });
    const thief = thiefOf(stale);
    expect((await thief.post('/account/sessions/end-others')).status).toBe(200);
    expect((await stale.client.session()).state, 'the owner stays signed in').toBe('signed_in');
  });

  it('continues for one of two that renew its token simultaneously, including by a new password', async () => {
    const person = await addPerson(service, fixture.organizationId, 'member', { secondFactor: false });
    const copy = thiefOf(person);
    const lock = `select from sessions where person_id = '${person.id}' for update`;
    const answers = await raceBehindLock(service.database.connection, lock, [
      () =>
        person.client.post('/account/password', {
          current_password: testPassword,
          password: 'meadow brick falcon 29',
        }),
      () => copy.post('/step-up/password', { password: testPassword }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const states = [await person.client.session(), await copy.session()].map(({ state }) => state);
    expect(states.sort()).toEqual(['signed_in', 'signed_out']);
  });

  it('continues with a new token after a step-up: an earlier copy is useless', async () => {
    const owner = await situations['an owner with an authenticator app']!();
    const copy = thiefOf(owner);
    const code = await totpCode(owner.totpSecret!);
    expect((await owner.client.post('/second-factor', { type: 'totp', code })).status).toBe(200);
    expect((await copy.session()).state).toBe('signed_out');
    expect((await rename(owner.client)).status).toBe(200);
  });

  it('continues with a new token after each change to what opens the account, and a copy is useless', async () => {
    const owner = await addPerson(service, fixture.organizationId, 'owner');
    const { client } = owner;
    await addPasskey(service, owner);
    await addPasskey(service, owner);
    await sql("insert into person_identities (issuer, subject, person_id) values ('x', $1::text, $1::uuid)", [
      owner.id,
    ]);
    const { passkeys, identities } = (await client.get('/account/security')).json;
    const changes: Record<string, () => ReturnType<DashboardClient['post']>> = {
      'DELETE /account/identities/:id': () => client.delete(`/account/identities/${identities[0].id}`),
      'DELETE /account/passkeys/:id': () => client.delete(`/account/passkeys/${passkeys[0].id}`),
      'DELETE /account/totp': () => client.delete('/account/totp'),
      'POST /account/backup-codes': () => client.post('/account/backup-codes'),
      'POST /account/password': () =>
        client.post('/account/password', {
          current_password: testPassword,
          password: 'meadow brick falcon 29',
        }),
      'POST /account/totp/confirm': async () => {
        const { secret } = (await client.post('/account/totp')).json;
        return client.post('/account/totp/confirm', { code: await totpCode(secret) });
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const copy = thiefOf(owner);
      const answer = await change();
      expect(answer.status, `${name}: ${answer.text}`).toBe(200);
      expect((await copy.session()).state, name).toBe('signed_out');
      expect((await client.session()).state, name).toBe('signed_in');
    }
    // Every such route is in one of the two lists.
    const others = ['PATCH /account', 'PATCH /account/passkeys/:id', 'POST /account/totp'];
    others.push('POST /account/passkeys/options', 'POST /account/passkeys');
    const all = dashboardRoutes.filter(
      route => mayLast(route) && route.pattern.startsWith('/account') && needsStepUp(route),
    );
    expect(all.map(({ method, pattern }) => `${method} ${pattern}`).sort()).toEqual(
      [...Object.keys(changes), ...others].sort(),
    );
  });

  it('ends after what opens the account has changed in another', async () => {
    const owner = await addPerson(service, fixture.organizationId, 'admin');
    await addPasskey(service, owner);
    const { passkeys } = (await owner.client.get('/account/security')).json;
    let secret = owner.totpSecret!;
    const signedIn = async () => {
      await sql('update totp_factors set last_step = 0 where person_id = $1', [owner.id]);
      const client = new DashboardClient(service.url);
      await client.post('/sign-in', { email: owner.email, password: testPassword });
      const code = await totpCode(secret);
      expect((await client.post('/second-factor', { type: 'totp', code })).json.state).toBe('signed_in');
      return client;
    };
    const changes = [
      () => owner.client.delete(`/account/passkeys/${passkeys[0].id}`),
      () => owner.client.post('/account/backup-codes'),
      async () => {
        secret = (await owner.client.post('/account/totp')).json.secret;
        return owner.client.post('/account/totp/confirm', { code: await totpCode(secret) });
      },
    ];
    for (const change of changes) {
      const thief = await signedIn();
      const half = new DashboardClient(service.url);
      await half.post('/sign-in', { email: owner.email, password: testPassword });
      const answer = await change();
      expect(answer.status, answer.text).toBe(200);
      expect((await thief.session()).state).toBe('signed_out');
      expect((await half.session()).state).toBe('signed_out');
      expect((await owner.client.get('/step-up')).status, 'the owner stays signed in').toBe(200);
    }
  });

  it('can end itself and earlier sessions, and newer ones only after a step-up', async () => {
    const owner = await situations['an owner with an authenticator app']!();
    const thief = thiefOf(owner);
    const own = new DashboardClient(service.url);
    await own.post('/sign-in', { email: owner.email, password: testPassword });
    const newest = async () => {
      const ids = await sql(
        'select id from sessions where person_id = $1 and ended_at is null order by created_at',
        [owner.id],
      );
      return ids.at(-1)!.id;
    };
    const endOthers = (client: DashboardClient) => client.post('/account/sessions/end-others');
    expect((await endOthers(thief)).json.error_code, 'incomplete').toBe('step_up_required');
    expect((await thief.delete(`/account/sessions/${await newest()}`)).json.error_code).toBe(
      'step_up_required',
    );
    const code = await totpCode(owner.totpSecret!);
    expect((await own.post('/second-factor', { type: 'totp', code })).status).toBe(200);
    expect((await endOthers(thief)).json.error_code, 'signed in').toBe('step_up_required');

    await sql('update sessions set stepped_up_at = null where person_id = $1', [owner.id]);
    expect((await endOthers(own)).json, 'started earlier').toEqual({ ended: 1 });
    expect((await thief.session()).state).toBe('signed_out');

    // After a step-up, newer ones too.
    await new DashboardClient(service.url).post('/sign-in', { email: owner.email, password: testPassword });
    const path = `/account/sessions/${await newest()}`;
    expect((await own.delete(path)).json.error_code).toBe('step_up_required');
    await own.post('/second-factor', { type: 'totp', code: await totpCode(owner.totpSecret!, 1) });
    expect((await own.delete(path)).json).toEqual({ ended: 1 });
  });

  it('without a second factor steps up with the password, with delays in that session only', async () => {
    const member = await situations['a member without a second factor']!();
    const thief = thiefOf(member);
    expect((await member.client.session()).step_up_ways).toEqual(['password']);
    const give = (client: DashboardClient, password: string) =>
      client.post('/step-up/password', { password });
    const guesses = [];
    for (let guess = 0; guess < 8; guess++) guesses.push((await give(thief, 'wrong password')).status);
    expect(guesses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
    const own = new DashboardClient(service.url);
    await own.post('/sign-in', { email: member.email, password: testPassword });
    await sql('update sessions set stepped_up_at = null where person_id = $1', [member.id]);
    expect((await rename(own)).json.error_code).toBe('step_up_required');
    const before = own.cookie;
    expect((await give(own, testPassword)).status).toBe(200);
    expect(own.cookie).not.toBe(before);
    expect((await rename(own)).status).toBe(200);
  });

  it('records guesses of the password in the audit log, as many as were compared', async () => {
    const wrong = 'wrong password';
    const change = { current_password: wrong, password: 'meadow brick falcon 29' };
    const ways = { '/step-up/password': { password: wrong }, '/account/password': change };
    for (const [path, body] of Object.entries(ways)) {
      const node = await service.addNode();
      const member = await addPerson(node, fixture.organizationId, 'member');
      const guesses = [];
      for (let guess = 0; guess < 8; guess++) guesses.push((await member.client.post(path, body)).status);
      expect(guesses, path).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
      // Pending entries are written before a node stops.
      await node.close();
      const entries = await sql(
        `select action, actor_id, address from ${recordedEntries} where object_id = $1`,
        [member.id],
      );
      const entry = { action: 'person.password_failed', actor_id: member.id, address: '127.0.0.1' };
      expect(entries, path).toEqual(Array(6).fill(entry));
    }
  });

  it('with a second factor does not step up with the password', async () => {
    const owner = await situations['an owner with an authenticator app']!();
    const answer = await owner.client.post('/step-up/password', { password: testPassword });
    expect(answer.json.error_code).toBe('step_up_required');
    expect((await rename(owner.client)).json.error_code).toBe('step_up_required');
  });

  it('sets up a first second factor with the password of the last five minutes', async () => {
    const owner = await situations['an owner who has to set up a second factor']!();
    expect((await owner.client.post('/account/totp')).json.error_code).toBe('step_up_required');
    await owner.client.post('/step-up/password', { password: testPassword });
    const { secret } = (await owner.client.post('/account/totp')).json;
    const code = await totpCode(secret);
    expect((await owner.client.post('/account/totp/confirm', { code })).json.backup_codes).toHaveLength(10);
    // The factor was just used, so that no step-up is required.
    const invited = await owner.client.post(`/organizations/${fixture.organizationId}/invitations`, {
      email: 'after-enrolment@example.org',
      role: 'member',
    });
    expect(invited.status).toBe(201);
  });
});
