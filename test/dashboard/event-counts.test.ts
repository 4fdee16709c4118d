import { beforeAll, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../api/routes.ts';
import { eventRow, storeEvents } from '../support/events.ts';
import { whileReadsWait } from '../support/held-lock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
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
  const rows = Array.from({ length: 5_000 }, (_, n) =>
    eventRow({ kind: `made.up_${n}`, occurredAt: new Date(Date.now() - (n + 1) * 1_000).toISOString() }),
  );
  await storeEvents(service.storage.events, fixture, rows);
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

it('keeps how long events are kept, with an entry in the audit log', async () => {
  const admin = await addPerson(service, fixture.organizationId, 'admin', { steppedUp: true });
  const at = path.replace('/counts', '/retention');
  expect((await admin.client.get(at)).json).toEqual({ retention_days: 90 });
  const change = (retention_days: unknown) => admin.client.request('PUT', at, { retention_days });
  for (const wrong of [8, 0, '30', null]) expect((await change(wrong)).status, String(wrong)).toBe(400);
  for (const days of [30, 30]) expect((await change(days)).json).toEqual({ retention_days: days });
  expect((await admin.client.get(at)).json).toEqual({ retention_days: 30 });
  const { json } = await admin.client.get(`/organizations/${fixture.organizationId}/audit`);
  const entries = json.entries.filter(({ action }: { action: string }) => action.includes('retention'));
  expect(entries).toMatchObject([
    { action: 'organization.event_retention_changed', detail: { from_days: 90, days: 30 } },
  ]);
});
