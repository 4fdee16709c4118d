import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLink } from '../../src/resources/people/one-time-links.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { storedText } from '../support/stored-text.ts';

let service: TestService;
let other: TestNode;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
});
afterAll(() => service?.close());

const details = {
  organization_name: 'Harbor View Clinic',
  name: 'Ada Owner',
  email: 'Ada@Example.org',
  password: 'lantern orbit cactus 71',
};

it('creates the first account with the one-time link, once, for any holder and on any node', async () => {
  const { people } = service.storage;
  const links = [await makeLink(people), await makeLink(people)];
  const preview = (token: string) => new DashboardClient(service.url).post('/set-up/preview', { token });
  expect((await preview(links[0]!.token)).json.expires_at).toBe(links[0]!.expiresAt);
  expect((await preview(`${links[0]!.token}x`)).json.error_code).toBe('link_invalid');

  const weak = await new DashboardClient(service.url).post('/set-up', {
    ...details,
    token: links[0]!.token,
    password: 'harbor view clinic',
  });
  expect(weak.json).toMatchObject({ error_code: 'weak_password', fields: [{ path: 'password' }] });

  const attempts = links.flatMap(({ token }, link) =>
    [service.url, other.url].map((url, node) => {
      const email = `ada-${link}-${node}@example.org`;
      return () => new DashboardClient(url).post('/set-up', { ...details, email, token });
    }),
  );
  // All check whether anyone has an account before one is created, unless a lock prevents that.
  const lock = 'lock table people in share row exclusive mode';
  const answers = await raceBehindLock(service.database.connection, lock, attempts);
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400, 400]);
  const winner = answers.find(answer => answer.status === 200)!;
  expect(winner.json).toMatchObject({
    state: 'enrolment',
    person: { name: 'Ada Owner' },
    organizations: [{ name: 'Harbor View Clinic', role: 'owner' }],
  });
  expect(await Promise.all(links.map(async ({ token }) => (await preview(token)).status))).toEqual([
    400, 400,
  ]);
  expect(await service.storage.system.brokenAuditChains()).toEqual([]);
});

it('stores no password, link or session in plain text', async () => {
  const { token } = await makeLink(service.storage.people);
  const tables = ['people', 'sessions', 'one_time_links', 'audit_entries'];
  const stored = await storedText(service.database.connection, tables);
  expect(stored).toContain('Ada Owner');
  expect(stored).toContain('$argon2id$');
  for (const secret of [token, details.password]) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(service.log.join('')).not.toContain(details.password);
});
