import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { OidcProvider } from '../../src/dashboard/sign-in/oidc.ts';
import { createManagementServer } from '../../src/http/management-server.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { Readiness } from '../../src/http/readiness.ts';
import { DatabaseRelay, type Fault } from '../support/database-relay.ts';
import { untilWaiting, whileReadsWait } from '../support/held-lock.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

interface Installation {
  readonly service: TestService;
  readonly relay: DatabaseRelay;
  readonly fixture: Fixture;
  readonly person: TestPerson;
}

/** Services that connect by TCP and by a unix socket, whose errors differ. */
const installations = {} as Record<'port' | 'socket', Installation>;
const publicUrl = 'http://parapet.test';
const client = { id: 'parapet', secret: 'secret', redirectUri: `${publicUrl}/dashboard/api/oidc/finish` };
let provider: TestProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider(client, {});
  const { issuer } = provider;
  const settings = { issuer, clientId: client.id, clientSecret: client.secret, name: 'Acme' };
  for (const by of ['port', 'socket'] as const) {
    const relay = await DatabaseRelay.start(inject('postgres'), by);
    const service = await startService({
      through: connection => ({ ...connection, ...relay.connection }),
      oidc: new OidcProvider(settings, client.redirectUri),
    });
    const fixture = await createFixture(service);
    const person = await addPerson(service, fixture.organizationId, 'member');
    installations[by] = { service, relay, fixture, person };
  }
});
afterAll(async () => {
  for (const { service, relay } of Object.values(installations)) {
    await service.close();
    await relay.close();
  }
  await provider?.close();
});

const newEvents = () =>
  Array.from({ length: 20 }, () => ({
    id: randomUUID(),
    kind: 'postgres.assessed',
    occurred_at: '2026-11-21T08:00:00.123Z',
  }));

const push = ({ service, fixture }: Installation, events: object[]) =>
  call(service.url, fixture.key, 'POST', '/functions/v1/events-ingest', {
    system_id: fixture.systemId,
    events,
  });

/** Sends one request of each kind that needs the database: signed, ingest, and dashboard with and without a session. */
async function ask(installation: Installation, events: object[]) {
  const { service, fixture, person } = installation;
  const system = { name: 'S', environment: 'test', kind: 'site' };
  return Promise.all([
    call(service.url, fixture.key, 'GET', '/api/v1/systems'),
    call(service.url, fixture.key, 'POST', '/api/v1/systems', system),
    push(installation, events),
    person.client.get('/session'),
    person.client.get(`/organizations/${fixture.organizationId}/findings`),
    person.client.post('/sign-in', { email: person.email, password: testPassword }),
  ]);
}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly failed_requests?: number;
}

/** Log entries after this line, without requests. */
const logged = ({ service }: Installation, from: number) =>
  service.log
    .slice(from)
    .map(line => JSON.parse(line) as Line)
    .filter(({ msg }) => msg !== 'request');

const until = (installation: Installation, from: number, msg: string) =>
  poll(msg, async () => logged(installation, from).find(line => line.msg === msg));

const database = ({ service }: Installation) => service.database.connection;

async function limitConnections(installation: Installation, limit: number): Promise<void> {
  await asOwner(inject('postgres'), async client => {
    const name = database(installation).database;
    await client.query(`alter database ${name} connection limit ${limit}`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
}

const fault = (relay: DatabaseRelay, kind: Fault | undefined) => {
  relay.fault = kind;
};

type Outage = [
  what: string,
  by: keyof typeof installations,
  begin: (installation: Installation) => unknown,
  end: (installation: Installation) => unknown,
];
const outages: Outage[] = [
  [
    'resets its connections',
    'port',
    ({ relay }) => fault(relay, 'reset'),
    ({ relay }) => fault(relay, undefined),
  ],
  [
    'closes its connections',
    'port',
    ({ relay }) => fault(relay, 'close'),
    ({ relay }) => fault(relay, undefined),
  ],
  ['becomes silent', 'port', ({ relay }) => fault(relay, 'silence'), ({ relay }) => fault(relay, undefined)],
  ['refuses connections', 'port', ({ relay }) => relay.stop(), ({ relay }) => relay.listen()],
  ['has no socket', 'socket', ({ relay }) => relay.stop(), ({ relay }) => relay.listen()],
  ['has too many connections', 'port', one => limitConnections(one, 0), one => limitConnections(one, -1)],
];

it.each(outages)(
  'answers 500 with Retry-After while the database %s, logs it once, and loses no event',
  async (_what, by, begin, end) => {
    const one = installations[by];
    const { service } = one;
    const management = createManagementServer({
      metrics: new Metrics(),
      readiness: new Readiness({ system: service.storage.system, pools: () => service.storage.pools }).status,
      host: '127.0.0.1',
    });
    await new Promise<void>(resolve => management.listen(0, '127.0.0.1', resolve));
    const places = [service.url, `http://127.0.0.1:${(management.address() as { port: number }).port}`];
    const statuses = (path: string) =>
      Promise.all(places.map(async place => (await fetch(place + path)).status));
    const events = newEvents();
    const from = service.log.length;

    await begin(one);
    const answers = await ask(one, events);
    for (const { status, text, headers } of answers) {
      expect({ status, text }).toEqual({ status: 500, text: '{"error":"Request failed"}' });
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(await statuses('/healthz')).toEqual([200, 200]);
    expect(await statuses('/readyz')).toEqual([503, 503]);
    expect(logged(one, from)).toMatchObject([{ level: 50, msg: 'database.unavailable' }]);

    await end(one);
    const { failed_requests } = await until(one, from, 'database.available');
    expect(failed_requests).toBe(answers.length);
    expect(await statuses('/readyz')).toEqual([200, 200]);
    expect((await push(one, events)).json).toEqual({ accepted: 20, duplicates: 0, rejected: [] });
    const again = await ask(one, events);
    expect(again.map(({ status }) => status)).toEqual([200, 201, 202, 200, 200, 200]);
    expect(again[2].json).toEqual({ accepted: 0, duplicates: 20, rejected: [] });
    expect(logged(one, from).map(({ msg }) => msg)).toEqual(['database.unavailable', 'database.available']);
    management.close();
  },
);

it('answers 500 if it is unknown whether a commit took effect, and stores the events once', async () => {
  const one = installations.port;
  const events = newEvents();
  const from = one.service.log.length;
  fault(one.relay, 'reset behind commit');
  const answer = await push(one, events);
  fault(one.relay, undefined);
  expect([answer.status, answer.headers.get('retry-after') !== null]).toEqual([500, true]);
  await until(one, from, 'database.available');
  expect((await push(one, events)).json).toEqual({ accepted: 0, duplicates: 20, rejected: [] });
});

it('answers 500 if the database closes a connection during a statement', async () => {
  const one = installations.port;
  const events = newEvents();
  const from = one.service.log.length;
  const answer = await whileReadsWait(database(one), 'events', async () => {
    const pushed = push(one, events);
    await untilWaiting(database(one), 1);
    await asOwner(database(one), client =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    );
    return pushed;
  });
  expect([answer.status, answer.text]).toEqual([500, '{"error":"Request failed"}']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await until(one, from, 'database.available')).toMatchObject({ failed_requests: 1 });
  expect((await push(one, events)).json).toEqual({ accepted: 20, duplicates: 0, rejected: [] });
});

it('does not blame the sign-in provider for an outage', async () => {
  const { service, relay } = installations.port;
  const from = service.log.length;
  const path = `${service.url}/dashboard/api/oidc`;
  const begun = await fetch(`${path}/begin`, { redirect: 'manual' });
  const state = new URL(begun.headers.get('location')!).searchParams.get('state');
  const cookie = begun.headers.getSetCookie()[0]!.split(';')[0]!;
  fault(relay, 'close');
  const init = { headers: { cookie }, redirect: 'manual' } as const;
  const { status, headers } = await fetch(`${path}/finish?code=code&state=${state}`, init);
  fault(relay, undefined);
  expect([status, headers.get('location')]).toEqual([500, null]);
  await until(installations.port, from, 'database.available');
});
