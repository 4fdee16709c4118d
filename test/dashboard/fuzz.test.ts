import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPerson } from '../support/people.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { createDashboardFixture, type DashboardFixture, dashboardRoutes } from './routes.ts';

let service: SharedService;
let fixture: DashboardFixture;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createDashboardFixture(service);
});

/** Texts that PostgreSQL cannot store, invalid times, and numbers with too many digits for PostgreSQL or JavaScript. */
const unstorable = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '2026-12-31T23:59:60Z',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00Z',
];

/**
 * Values that often break code: the same, and those that JavaScript rolls over, or that are huge, deeply nested or of
 * another type.
 */
const awkward = fc.oneof(
  fc.constantFrom<unknown>(
    ...unstorable,
    '',
    ' ',
    "'; drop table people; --",
    '%',
    '../../etc/passwd',
    '9'.repeat(400),
    '2026-02-31T25:61:61Z',
    '-271821-04-20T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '00000000-0000-0000-0000-000000000000',
    'x'.repeat(3000),
    '__proto__',
    null,
    true,
    -1,
    1e308,
    [],
    {},
    [[[[[[]]]]]],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A valid value with parts replaced, removed or added. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) {
    return fc.oneof({ weight: 2, arbitrary: awkward }, fc.constant(value));
  }
  if (Array.isArray(value)) {
    return fc.oneof(fc.tuple(...value.map(spoiled)), awkward, fc.array(awkward, { maxLength: 3 }));
  }
  const entries = Object.entries(value).map(([key, part]) =>
    fc.tuple(fc.constantFrom(key, key, key, `${key}x`), spoiled(part)),
  );
  return fc.oneof({ weight: 4, arbitrary: fc.tuple(...entries).map(Object.fromEntries) }, awkward);
}

const parameters = [
  'limit',
  'cursor',
  'severity',
  'status',
  'category',
  'from',
  'until',
  'kind',
  'search',
  'order',
];
const query = fc
  .array(fc.tuple(fc.constantFrom(...parameters, 'name', 'format', 'system_id', 'x'), awkward), {
    maxLength: 3,
  })
  .map(pairs =>
    new URLSearchParams(pairs.map(([name, value]) => [name, String(value)] as [string, string])).toString(),
  );

it.each(dashboardRoutes.map(route => [`${route.method} ${route.pattern}`, route] as const))(
  '%s answers any input without an internal failure',
  async (_name, route) => {
    const { client } = await addPerson(service, fixture.organizationId, 'owner', { steppedUp: true });
    const { cookie, csrf } = client;
    const good = route.body?.(fixture);
    const id = fc.oneof(fc.constant(route.id?.(fixture) ?? ''), awkward.map(String));
    const requests = fc.tuple(id, query, good === undefined ? fc.constant(undefined) : spoiled(good));
    const samples = fc.sample(requests, { numRuns: 25, seed: 20_261_121 });
    for (const [objectId, parameter, body] of samples) {
      // Signing out and similar requests must not end the series.
      Object.assign(client, { cookie, csrf });
      const path = route.pattern
        .replace(':organization', fixture.organizationId)
        .replace(/:\w+/, encodeURIComponent(objectId.isWellFormed() ? objectId : 'x'));
      const text = body === undefined ? undefined : (JSON.stringify(body) ?? 'null');
      const answer = await client.request(route.method, `${path}?${parameter}`, route.bytes ?? text);
      expect(answer.status, `${path}?${parameter} ${text}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
    }
  },
);

/** The value, once for each text in it, with that text replaced. */
function withText(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    withText(part, text).map(other =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  );
}

it.each(
  dashboardRoutes.flatMap(route =>
    route.body ? [[`${route.method} ${route.pattern}`, route, route.body] as const] : [],
  ),
)('%s does not fail because of text that cannot be stored', async (_name, route, body) => {
  const { client } = await addPerson(service, fixture.organizationId, 'owner');
  const { cookie, csrf } = client;
  const path = route.pattern
    .replace(':organization', fixture.organizationId)
    .replace(':control', '164.312(b)')
    .replace(':id', route.id?.(fixture) ?? '');
  for (const text of unstorable) {
    for (const spoilt of withText(body(fixture), text)) {
      Object.assign(client, { cookie, csrf });
      const answer = await client.request(route.method, path, JSON.stringify(spoilt));
      expect(answer.status, `${JSON.stringify(spoilt)}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
    }
  }
});

it('accepts a risk only until a valid time', async () => {
  const { client } = await addPerson(service, fixture.organizationId, 'owner');
  for (const until of unstorable) {
    const answer = await client.post(`/organizations/${fixture.organizationId}/findings/triage`, {
      ids: [fixture.findingId],
      decision: { decision: 'accepted', reason: 'r', until },
    });
    expect(answer.status, `${until}: ${answer.text}`).toBe(400);
  }
});
