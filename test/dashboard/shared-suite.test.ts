import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../src/contract/dashboard/session.ts';
import { guardRoutes } from '../../src/dashboard/plugins/guard.ts';
import type { DashboardServices } from '../../src/dashboard/services.ts';
import type { App } from '../../src/http/app.ts';
import { type Answer, DashboardClient, type HeaderChanges } from '../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import {
  createDashboardFixture,
  type DashboardFixture,
  type DashboardRoute,
  dashboardRoutes,
} from './routes.ts';

let service: SharedService;
let one: DashboardFixture;
let other: DashboardFixture;
/** Owners of `one` whose requests are refused, and so change nothing. */
let passwordOnly: TestPerson;
let neverSteppedUp: TestPerson;
let steppedUpLongAgo: TestPerson;
/** Used for reads only. */
let read: DashboardFixture;
beforeAll(async () => {
  service = await sharedService();
  one = await createDashboardFixture(service);
  other = await createDashboardFixture(service);
  read = await createDashboardFixture(service);
  const owner = (steppedUp: boolean) => addPerson(service, one.organizationId, 'owner', { steppedUp });
  passwordOnly = await owner(true);
  await sql('update sessions set second_factor_at = null where person_id = $1', [passwordOnly.id]);
  neverSteppedUp = await owner(false);
  steppedUpLongAgo = await owner(true);
});

const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** Sends a valid request for the fixture's objects, except for the given changes. */
function send(
  route: DashboardRoute,
  client: DashboardClient,
  fixture: DashboardFixture,
  otherwise: { path?: string; body?: unknown; headers?: HeaderChanges } = {},
): Promise<Answer> {
  const id = route.id?.(fixture) ?? '';
  const path = (otherwise.path ?? route.pattern)
    .replace(':organization', fixture.organizationId)
    .replace(':control', '164.312(b)')
    .replace(':token', 'A'.repeat(43))
    .replace(':id', id);
  const body = 'body' in otherwise ? otherwise.body : (route.bytes ?? route.body?.(fixture));
  const type = route.bytes === undefined ? {} : { 'content-type': 'application/octet-stream' };
  const query = route.query ? `?${route.query}` : '';
  return client.request(route.method, path + query, body, { ...type, ...otherwise.headers });
}

const ofOrganization = ({ pattern }: DashboardRoute) => pattern.includes(':organization');
const changes = ({ method }: DashboardRoute) => method !== 'GET';
const named = (some: (route: DashboardRoute) => boolean) =>
  dashboardRoutes.filter(some).map(route => [`${route.method} ${route.pattern}`, route] as const);
/** The caller with the lowest role that may call the route. */
const caller = (route: DashboardRoute, fixture: DashboardFixture): DashboardClient => {
  const role = roles.find(name => name === route.access) ?? 'member';
  return fixture[role].client;
};

it('lists every route with its access and step-up', () => {
  const known = dashboardRoutes.map(({ method, pattern, access, stepUp }) => [
    `${method} /dashboard/api${pattern}`,
    access,
    stepUp === true,
  ]);
  const registered = [...service.dashboardRoutes].map(([name, { access, stepUp }]) => [
    name,
    access,
    stepUp === true,
  ]);
  expect(known.sort()).toEqual(registered.sort());
});

it('does not start with a route that changes data without declaring whether it needs a step-up', () => {
  const start = (config: object, method = 'POST') => {
    const app = fastify();
    guardRoutes(app as unknown as App, {} as DashboardServices);
    app.route({ method, url: '/x', config, handler: () => '' });
  };
  expect(() => start({ access: 'owner' })).toThrow('does not declare its step-up');
  expect(() => start({ stepUp: true })).toThrow('does not declare its access');
  expect(() => start({ access: 'anyone', stepUp: true })).toThrow('requires a step-up, but no sign-in');
  start({ access: 'owner' }, 'GET');
  start({ access: 'owner', stepUp: { notNeeded: 'r' } });
});

describe.each(named(() => true))('%s', (_name, route) => {
  it('answers a valid request', async () => {
    const fixture = changes(route) ? await createDashboardFixture(service) : read;
    const answer = await send(route, caller(route, fixture), fixture);
    expect(answer.status, answer.text.slice(0, 500)).toBe(route.status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

/** A provider may add any parameters when it redirects people back. */
const providers = ({ pattern }: DashboardRoute) => pattern === '/oidc/finish';

describe.each(named(route => !providers(route)))('%s', (_name, route) => {
  it('refuses unknown query parameters', async () => {
    const query = `${route.query ? `${route.query}&` : ''}dry_run=1`;
    const answer = await send({ ...route, query }, caller(route, read), read);
    expect([answer.status, answer.json.fields], answer.text).toEqual([
      400,
      [{ path: 'dry_run', message: 'is not a known field' }],
    ]);
  });
});

describe.each(named(route => !changes(route)))('%s', (_name, route) => {
  it('answers HEAD like GET, without writing a file for it', async () => {
    const client = caller(route, read);
    const path = route.pattern
      .replace(':organization', read.organizationId)
      .replace(':control', '164.312(b)')
      .replace(':id', route.id?.(read) ?? '');
    const ask = async (method: string) => {
      const url = `${client.url}/dashboard/api${path}${route.query ? `?${route.query}` : ''}`;
      const { status, headers, body } = await fetch(url, { method, headers: { cookie: client.cookie! } });
      await body?.cancel();
      const names = ['cache-control', 'content-type', 'content-disposition', 'x-content-type-options'];
      return [status, ...names.map(name => headers.get(name))];
    };
    const entries = async () =>
      (await sql(`select from ${recordedEntries} where organization_id = $1`, [read.organizationId])).rows
        .length;
    const before = await entries();
    const head = await ask('HEAD');
    expect(await entries(), 'entries for a file').toBe(before);
    expect(head).toEqual(await ask('GET'));
  });
});

describe.each(named(({ access }) => access !== 'anyone'))('%s', (_name, route) => {
  it('refuses signed-out callers', async () => {
    for (const cookie of [undefined, 'parapet_session=', `parapet_session=${'x'.repeat(43)}`]) {
      const answer = await send(route, new DashboardClient(service.url, { cookie }), one);
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ error: 'Unauthorized' });
    }
  });
});

describe.each(named(({ access }) => access !== 'anyone' && access !== 'session'))('%s', (_name, route) => {
  it('refuses sessions with the password only', async () => {
    const answer = await send(route, passwordOnly.client, one);
    expect(answer.json.error_code).toBe('second_factor_required');
  });
});

describe.each(named(ofOrganization))('%s', (_name, route) => {
  it('refuses lower roles (spec 2, 3)', async () => {
    const lower = roles.slice(0, roles.indexOf(route.access as (typeof roles)[number]));
    for (const role of lower) {
      const answer = await send(route, one[role].client, one);
      expect([answer.status, answer.json]).toEqual([403, { error: 'Forbidden' }]);
    }
  });

  it('answers 404 for organizations that the person does not belong to, and invalid ids', async () => {
    const stranger = other.owner.client;
    const theirs = await send(route, stranger, one);
    expect([theirs.status, theirs.json]).toEqual([404, { error: 'Not found' }]);
    for (const id of [randomUUID(), 'x', `${one.organizationId}x`]) {
      const path = route.pattern.replace(':organization', id);
      expect((await send(route, stranger, one, { path })).status).toBe(404);
    }
    const left = await addPerson(service, one.organizationId, 'owner', { steppedUp: true });
    await asOwner(service.database.connection, client =>
      client.query('update memberships set left_at = now() where person_id = $1', [left.id]),
    );
    expect((await send(route, left.client, one)).status, 'a former member').toBe(404);
  });

  it('answers 404 for an object of another organization', async () => {
    if (!route.id && !route.bodyNamesObject) return;
    const path = route.pattern.replace(':organization', one.organizationId);
    const answer = await send(route, one.owner.client, other, { path });
    expect([answer.status, answer.json], answer.text).toEqual([404, { error: 'Not found' }]);
    if (!route.id) return;
    const malformed = path.replace(':id', 'not-an-id');
    expect((await send(route, one.owner.client, one, { path: malformed })).status).toBe(404);
  });
});

describe.each(named(changes))('%s', (_name, route) => {
  it('refuses requests from another site', async () => {
    const foreign: HeaderChanges[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: null, 'sec-fetch-site': 'cross-site' },
      { origin: null, 'sec-fetch-site': 'same-site' },
    ];
    if (route.access !== 'anyone') {
      foreign.push({ 'x-csrf-token': null }, { 'x-csrf-token': other.owner.client.csrf! });
    }
    for (const headers of foreign) {
      const answer = await send(route, caller(route, one), one, { headers });
      expect([answer.status, answer.json.error_code], JSON.stringify(headers)).toEqual([
        403,
        'cross_site_request',
      ]);
    }
  });
});

describe.each(named(({ body }) => body !== undefined))('%s', (_name, route) => {
  it('refuses an invalid body, and names the errors', async () => {
    // All routes together have more requests than one person may send in a minute.
    await sql('delete from change_counts where holder = any($1)', [
      [one.owner, one.admin, one.member].map(({ id }) => `in organizations ${id}`),
    ]);
    const unknown = { ...route.body!(one), no_such_field: 1 };
    const isOfOne = route.access !== 'anyone' && ofOrganization(route);
    const organizationOfOne = caller(route, isOfOne ? one : await createDashboardFixture(service));
    const extra = await send(route, organizationOfOne, one, { body: unknown });
    expect([extra.status, extra.json.error]).toEqual([400, 'Invalid body']);
    expect(JSON.stringify(extra.json.fields)).toContain('no_such_field');
    for (const body of ['{', '[]', '"text"', 'null', '']) {
      const answer = await send(route, organizationOfOne, one, { body });
      expect([answer.status, answer.json.error], body).toEqual([400, 'Invalid body']);
    }
    const form = await send(route, organizationOfOne, one, {
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status, 'a form').toBe(400);
    const large = await send(route, organizationOfOne, one, {
      body: JSON.stringify({ name: 'x'.repeat(256 * 1024) }),
    });
    expect(large.status, 'too large').toBe(413);
  });
});

describe.each(named(route => route.stepUp === true && !changes(route)))('%s', (_name, route) => {
  it('creates no audit entry for a page of another site', async () => {
    const entries = () =>
      sql(`select count(*)::int as n from ${recordedEntries} where organization_id = $1`, [
        one.organizationId,
      ]).then(({ rows }) => rows[0].n);
    const before = await entries();
    for (const site of ['cross-site', 'same-site']) {
      const answer = await send(route, caller(route, one), one, { headers: { 'sec-fetch-site': site } });
      expect([answer.status, answer.json.error_code]).toEqual([403, 'cross_site_request']);
    }
    expect(await entries()).toBe(before);
    const typed = await send(route, caller(route, one), one, { headers: { 'sec-fetch-site': 'none' } });
    expect(typed.json?.error_code).not.toBe('cross_site_request');
  });
});

describe.each(named(({ stepUp }) => stepUp === true))('%s', (_name, route) => {
  it('requires a step-up within five minutes, on this session (spec 2, 3)', async () => {
    const refusal = async ({ id, client }: TestPerson, age: string) => {
      await sql(
        'update sessions set stepped_up_at = now() - $2::interval where person_id = $1 and stepped_up_at is not null',
        [id, age],
      );
      return (await send(route, client, one)).json?.error_code;
    };
    expect(await refusal(neverSteppedUp, '0')).toBe('step_up_required');
    expect(await refusal(steppedUpLongAgo, '5 minutes 1 second')).toBe('step_up_required');
    const inTime = await addPerson(service, one.organizationId, 'owner', { steppedUp: true });
    expect(await refusal(inTime, '4 minutes 50 seconds')).not.toBe('step_up_required');
  });
});
