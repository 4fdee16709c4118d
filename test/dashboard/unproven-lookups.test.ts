import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const newToken = () => randomBytes(32).toString('base64url');
const previews = ['/invitations/preview', '/set-up/preview', '/password-reset/preview', '/oidc/pending'];
const tables = 'invitations, one_time_links, pending_identities';

it('does not delay sign-ins by lookups of made-up tokens', async () => {
  const person = await addPerson(service, await service.createOrganization(), 'member');
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query(`begin; lock table ${tables} in access exclusive mode`);
    const junk = Array.from({ length: 12 }, (_, network) => {
      const client = new DashboardClient(service.url);
      const from = { 'x-forwarded-for': `203.0.113.${network}` };
      const token = newToken();
      return [
        ...previews.map(path => client.post(path, { token }, from)),
        client.post('/invitations/account', { token, name: 'N', password: 'meadow brick falcon 29' }, from),
        client.post('/oidc/claim', { token }, from),
      ];
    }).flat();
    await untilWaiting(connection, 2);
    const { email, password } = person;
    for (let time = 0; time < 3; time++) {
      const answer = await new DashboardClient(service.url).post('/sign-in', { email, password });
      expect(answer.status, answer.text).toBe(200);
    }
    const { rows } = await holder.query(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    expect(rows).toEqual([{ waiting: 2 }]);
    await holder.query('rollback');
    for (const { status, json } of await Promise.all(junk))
      expect([400, 503], JSON.stringify(json)).toContain(status);
  });
});

it('does not query the database for a malformed token', async () => {
  const client = new DashboardClient(service.url);
  const token = newToken();
  const shapes = ['x', `${token}x`, token.slice(1), `${token.slice(1)} `, `${token.slice(1)}é`];
  await asOwner(service.database.connection, async holder => {
    await holder.query(`begin; lock table sessions, ${tables} in access exclusive mode`);
    for (const shape of shapes) {
      for (const path of previews)
        expect((await client.post(path, { token: shape })).json.error_code, path).toBe('link_invalid');
      const cookie = encodeURIComponent(shape);
      const browser = new DashboardClient(service.url, { cookie: `parapet_session=${cookie}` });
      expect((await browser.session()).state).toBe('signed_out');
    }
    await holder.query('rollback');
  });
});

it('looks up one token of a network at a time, without delaying other networks', async () => {
  const { lookups } = service.storage;
  await asOwner(service.database.connection, async holder => {
    await holder.query('select pg_advisory_lock(3)');
    const busy = Array.from({ length: 25 }, () =>
      lookups.unproven('busy').query({ text: 'select pg_advisory_xact_lock_shared(3)' }),
    );
    const outcomes = Promise.allSettled(busy);
    await untilWaiting(service.database.connection, 1);
    expect(await lookups.unproven('free').query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    const { rows } = await holder.query(
      "select count(*)::int as waiting from pg_stat_activity where wait_event = 'advisory' and datname = current_database()",
    );
    expect(rows).toEqual([{ waiting: 1 }]);
    await holder.query('select pg_advisory_unlock(3)');
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(25).fill('fulfilled'));
  });
});
