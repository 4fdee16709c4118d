import { beforeAll, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../api/routes.ts';
import { whileReadsWait } from '../support/held-lock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let fixture: Fixture;
let member: TestPerson;
let path: string;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createFixture(service);
  member = await addPerson(service, fixture.organizationId, 'member');
  path = `/organizations/${fixture.organizationId}/events/counts`;
});

it('names the most frequent kinds, and the number of further ones', async () => {
  const before = (await member.client.get(path)).json;
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into events (organization_id, system_id, channel, id, kind, occurred_at, payload, key_id)
        select $1, $2, 'events', gen_random_uuid(), 'made.up_' || n, now() - n * interval '1 second', '{}', $3
        from generate_series(1, 5000) as n`,
      [fixture.organizationId, fixture.systemId, fixture.key.token_id],
    ),
  );
  const { json, text } = await member.client.get(path);
  expect(json.kinds).toHaveLength(20);
  expect(json.more_kinds).toBe(5_000 + before.kinds.length - 20);
  expect(before.more_kinds).toBe(0);
  expect(text.length).toBeLessThan(8_000);
});

it.each(['/counts', ''])('is refused if there is too much to read: events%s', async end => {
  const events = path.replace('/counts', end);
  const refused = await whileReadsWait(service.database.connection, 'events', () =>
    member.client.get(events),
  );
  expect(refused.status).toBe(400);
  expect(refused.json.fields).toEqual([
    { path: 'from', message: 'must cover a shorter period: there are too many events to read in time' },
  ]);
  expect((await member.client.get(events)).status).toBe(200);
});
