import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../api/routes.ts';
import { totpCode } from '../support/dashboard-client.ts';
import { countWaiting, untilWaiting, whileReadsWait } from '../support/held-lock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let organizationId: string;
let path: string;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  ({ organizationId } = fixture);
  // More than one batch.
  await sql(
    `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title, remediation, seen, hipaa)
      select $1, $2, $3, 'tls.expired', 'f' || n, 'l', 'high', 't', 'r', 's', true from generate_series(1, 249) as n`,
    [organizationId, fixture.systemId, fixture.sourceId],
  );
  path = `/organizations/${organizationId}`;
});
afterAll(() => service?.close());

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query(text, values)).rows);

describe('a download that takes a while', () => {
  /** The result of a download that has to wait, while something happens to its person. */
  async function download(
    happens: (person: TestPerson) => Promise<unknown>,
    { secondFactor = true } = {},
  ): Promise<string | undefined> {
    const admin = await addPerson(service, organizationId, secondFactor ? 'admin' : 'member', {
      secondFactor,
    });
    // Not of findings, which a removal of a member changes: it would wait as well.
    const { asked } = await whileReadsWait(service.database.connection, 'systems', async () => {
      const asked = admin.client.get(`${path}/findings/export?format=json`).then(
        ({ text }) => text,
        () => undefined,
      );
      await untilWaiting(service.database.connection, 1);
      await happens(admin);
      // The permission is checked again after one second.
      await setTimeout(1_100);
      return { asked };
    });
    return asked;
  }

  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ['was removed', ({ id }) => sql('update memberships set left_at = now() where person_id = $1', [id])],
    ['has ended all other sessions', ({ client }) => client.post('/account/sessions/end-others')],
    ['was signed out', ({ id }) => sql('update sessions set ended_at = now() where person_id = $1', [id])],
  ])('breaks off when its person %s', async (_what, happens) => {
    expect(await download(happens)).toBe(undefined);
  });

  it('breaks off when its person sets up the first second factor', async () => {
    const enrol = async ({ client }: TestPerson) => {
      const { secret } = (await client.post('/account/totp')).json;
      const answer = await client.post('/account/totp/confirm', { code: await totpCode(secret) });
      expect(answer.status, answer.text).toBe(200);
    };
    expect(await download(enrol, { secondFactor: false })).toBe(undefined);
  });

  it('continues after its step-up has expired, and after another that renewed the token', async () => {
    const renewed = ({ id }: TestPerson) =>
      sql(
        'update sessions set token_hash = sha256(id::text::bytea), stepped_up_at = null where person_id = $1',
        [id],
      );
    expect(JSON.parse((await download(renewed))!).findings).toHaveLength(250);
  });
});

it('reads two things at a time for a person, three for an organization, and meanwhile for others', async () => {
  const [greedy, colleague, third] = [
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
    await addPerson(service, organizationId, 'member'),
  ];
  const elsewhere = await service.createOrganization();
  const stranger = await addPerson(service, elsewhere, 'member');
  const waiting = () => countWaiting(service.database.connection);
  const { asked } = await whileReadsWait(service.database.connection, 'findings', async () => {
    const ask = ({ client }: TestPerson) => client.get(`${path}/findings`);
    const asked = Array.from({ length: 10 }, () => ask(greedy));
    await untilWaiting(service.database.connection, 2);
    expect((await colleague.client.get(`${path}/views`)).status).toBe(200);
    expect(await waiting(), 'of one person').toBe(2);
    asked.push(...Array.from({ length: 10 }, () => ask(colleague)));
    await untilWaiting(service.database.connection, 3);
    asked.push(ask(third));
    expect((await stranger.client.get(`/organizations/${elsewhere}/views`)).status).toBe(200);
    expect(await waiting(), 'of one organization').toBe(3);
    return { asked };
  });
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
});
