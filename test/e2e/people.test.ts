import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { ServingProcess } from '../support/serving-process.ts';

let database: TestDatabase;
let env: Record<string, string>;
let service: ServingProcess;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: randomBytes(32).toString('base64') };
  service = await ServingProcess.serve(env, ['--role', 'api']);
});
afterAll(async () => {
  await service?.kill('SIGTERM');
  await database?.drop();
});

const refusal = async (...parameters: string[]) =>
  (await parapet(parameters, { PATH: process.env.PATH, ...env })).errors;
const tokenOf = (url: string) => url.split('#token=')[1]!;
const password = 'lantern orbit cactus 71';
const email = 'ada@example.org';

/** The link printed on start, on the other stream than the log. */
const printedLink = () =>
  poll('the set-up link', async () =>
    service.log.find(text => text.includes('/dashboard/set-up#token='))?.trim(),
  );

/** Creates the first account with the link printed on start. */
async function setUp(): Promise<{ client: DashboardClient; secret: string; organizationId: string }> {
  const client = new DashboardClient(service.url);
  const answer = await client.post('/set-up', {
    token: tokenOf(await printedLink()),
    organization_name: 'Harbor View Clinic',
    name: 'Ada',
    email,
    password,
  });
  const { secret } = (await client.post('/account/totp')).json;
  await client.post('/account/totp/confirm', { code: await totpCode(secret) });
  return { client, secret, organizationId: answer.json.organizations[0].id };
}

it('shows the set-up link at the first start only, since a supervisor may keep the output', async () => {
  const link = await printedLink();
  const restarted = await ServingProcess.serve(env, ['--role', 'api']);
  const hint = await poll('the hint', async () => restarted.log.find(text => text.includes('set-up-link')));
  await restarted.kill('SIGTERM');
  expect(hint).toBe('Parapet is not set up yet. `parapet people set-up-link` shows a link for that.');
  expect(restarted.log.join('\n')).not.toContain('#token=');
  expect(service.log.filter(text => text.includes('#token='))).toEqual([`    ${link}`]);
});

it('lets the operator set up the service, invite people, and help those locked out of their account', async () => {
  const link = await printedLink();
  expect(link, 'a host name, which passkeys require').toMatch(/^http:\/\/localhost:\d+\/dashboard\/set-up/);
  const another = await operate(env, 'people', 'set-up-link');
  const { client, secret, organizationId } = await setUp();
  const logged = service.log.filter(text => text.startsWith('{')).join();
  expect(logged).not.toContain(tokenOf(link));
  const late = await new DashboardClient(service.url).post('/set-up/preview', {
    token: tokenOf(another.url),
  });
  expect(late.json.error_code).toBe('link_invalid');
  expect(await refusal('people', 'set-up-link')).toContain('people invite');

  const invited = await operate(
    env,
    ...['people', 'invite', '--organization', organizationId, '--email', 'bo@example.org', '--role', 'admin'],
  );
  const bo = new DashboardClient(service.url);
  const token = tokenOf(invited.url);
  await bo.post('/invitations/account', { token, name: 'Bo', password });
  const own = (await bo.post('/account/totp')).json;
  await bo.post('/account/totp/confirm', { code: await totpCode(own.secret) });
  const joined = await bo.post('/invitations/accept', { token });
  expect(joined.json, joined.text).toMatchObject({ state: 'signed_in', organizations: [{ role: 'admin' }] });

  const reset = await operate(env, 'people', 'reset-mfa', 'ADA@example.org');
  expect(reset).toEqual({
    email: 'ADA@example.org',
    totp: true,
    passkeys: 0,
    identities: 0,
    url: expect.stringMatching(/\/dashboard\/password-reset#token=[\w-]{43}$/),
  });
  expect((await client.session()).state, 'its sessions').toBe('signed_out');
  const again = new DashboardClient(service.url);
  const old = await again.post('/sign-in', { email, password });
  expect(old.json.error_code, 'a person with the password alone').toBe('sign_in_failed');
  const fresh = { token: tokenOf(reset.url), password: 'velvet anchor 58 marmot' };
  expect((await again.post('/password-reset', fresh)).json.state).toBe('enrolment');
  expect((await again.post('/second-factor', { type: 'totp', code: await totpCode(secret, 1) })).status).toBe(
    401,
  );

  const { url } = await operate(env, 'people', 'reset-password', email);
  const renewed = await again.post('/password-reset', {
    token: tokenOf(url),
    password: 'meadow brick falcon 29',
  });
  expect(renewed.json.state).toBe('enrolment');
  expect((await again.post('/sign-in', { email, password })).json.error_code).toBe('sign_in_failed');

  const { people } = await operate(env, 'people', 'list', '--organization', organizationId);
  expect(people.map((person: { email: string; role: string }) => [person.email, person.role])).toEqual([
    [email, 'owner'],
    ['bo@example.org', 'admin'],
  ]);
  expect(await operate(env, 'people', 'release', 'bo@example.org')).toEqual({ email: 'bo@example.org' });
  expect((await bo.session()).state).toBe('signed_out');
  expect(await refusal('people', 'release', 'bo@example.org')).toContain('no account found for');
  const acts = await asOwner(database.connection, connection =>
    connection.query(
      `select action from ${recordedEntries} where actor_kind = 'operator' and actor_id = 'host' order by sequence`,
    ),
  );
  expect(acts.rows.map(row => row.action)).toEqual([
    'person.invited',
    'person.second_factors_reset',
    'person.password_link_made',
    'person.password_link_made',
    'person.account_closed',
  ]);
  const doctor = await parapet(['doctor'], { ...env, PATH: process.env.PATH });
  expect(doctor.status, doctor.output).toBe(0);
});

it('reports what is wrong with the operator’s commands', async () => {
  expect(await refusal('people', 'reset-mfa', 'nobody@example.org')).toContain(
    'no account found for nobody@example.org',
  );
  expect(await refusal('people', 'list', '--organization', 'x')).toContain('must be a UUID');
  const invitation = ['people', 'invite', '--organization', '00000000-0000-4000-8000-000000000000'];
  expect(await refusal(...invitation, '--email', 'a@b.c')).toMatch(/organization \S+ not found/);
  for (const email of ['a b', 'closed@parapet.Invalid']) {
    expect(await refusal(...invitation, '--email', email)).toContain('--email must be');
  }
  expect(await refusal(...invitation, '--email', 'a@b.c', '--role', 'root')).toContain('--role');
});
