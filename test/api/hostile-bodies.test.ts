import { beforeAll, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

let service: SharedService;
let fixture: Fixture;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createFixture(service);
});

const post = (path: string, body: string) => send(service.url, signRequest(fixture.key, 'POST', path, body));

/** CPU time of this process, which includes the server. */
async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('answers a sign-in with one long text at once, without a sign-in', async () => {
  const client = new DashboardClient(service.url);
  const body = (text: string) => JSON.stringify({ email: text, password: text });
  for (const unit of ['a', ' ', 'a ', '\u0000', '@', 'a@']) {
    const text = `${unit.repeat(7_000 / JSON.stringify(unit).length)}\u0000`;
    const taken = await milliseconds(async () => {
      const answer = await client.request('POST', '/sign-in', body(text));
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(1_000);
    });
    expect(taken, JSON.stringify(unit)).toBeLessThan(1_000);
  }
});

it('answers a name of 30 KB at once', async () => {
  const system = (name: string) => JSON.stringify({ name, environment: 'test', kind: 'api' });
  const taken = await milliseconds(async () => {
    const answer = await post('/api/v1/systems', system(`${'a'.repeat(30_000)}\u0000`));
    expect(answer.json.fields).toEqual([{ path: 'name', message: 'must NOT have more than 200 characters' }]);
  });
  expect(taken).toBeLessThan(1_000);
});

it('reports 20 of many problems, and repeats little of the input', async () => {
  const unknown = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 0])));
  const fieldsOf = async (text: string) =>
    (await post('/api/v1/systems', text)).json.fields as { path: string; message: string }[];
  const fields = await fieldsOf(unknown(900));
  expect(fields).toHaveLength(21);
  expect(fields.at(-1)).toEqual({ path: '', message: 'has more errors' });
  expect(await fieldsOf(unknown(20_000))).toHaveLength(1);
  const long = await post('/api/v1/systems', JSON.stringify({ [`${'x'.repeat(200_000)}`]: 0 }));
  expect(long.text.length).toBeLessThan(1_000);
  const events = Array.from({ length: 500 }, () => ({ id: 'x'.repeat(400) }));
  const batch = await post(
    '/functions/v1/events-ingest',
    JSON.stringify({ system_id: fixture.systemId, events }),
  );
  expect(batch.status).toBe(400);
  expect(batch.json.fields).toHaveLength(21);
});

it('refuses a body with a repeated member, signed or not (spec 7)', async () => {
  const twice = '{"name":"A","environment":"test","kind":"api","n\\u0061me":"B"}';
  const signed = await post('/api/v1/systems', twice);
  expect([signed.status, signed.json]).toEqual([
    400,
    { error: 'Invalid body', fields: [{ path: 'name', message: 'must not be repeated' }] },
  ]);
  const deep = `{"system_id":"${fixture.systemId}","events":[{"id":"x","a":{"b":1,"b":2}}]}`;
  expect((await post('/functions/v1/events-ingest', deep)).json.fields).toEqual([
    { path: 'events.0.a.b', message: 'must not be repeated' },
  ]);
  const signIn = await new DashboardClient(service.url).request(
    'POST',
    '/sign-in',
    '{"email":"a@b.example","email":"c@d.example","password":"x"}',
  );
  expect(signIn.status).toBe(400);
  expect(signIn.text).toContain('"path":"email","message":"must not be repeated"');
});
