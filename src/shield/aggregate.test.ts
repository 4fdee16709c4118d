import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Aggregate, type RequestWindow } from './aggregate.ts';
import type { StrippedRequest } from './strip/strip-request.ts';

const request = (changes: Partial<StrippedRequest> = {}): StrippedRequest => ({
  host: 'www.example.com',
  action: 'blocked',
  attack: 'sqli',
  rule: { id: '942100', message: null, severity: 'critical' },
  path: '/search',
  network: '192.0.2.0/24',
  method: 'GET',
  status: 403,
  authenticated: false,
  ...changes,
});
const noon = Date.UTC(2026, 10, 26, 12);
const totalOf = (windows: readonly RequestWindow[]) =>
  windows.flatMap(({ groups, others }) => [...groups, ...others]).reduce((sum, { count }) => sum + count, 0);

it('counts equal requests of a minute together', () => {
  const requests = new Aggregate();
  for (const second of [30, 10, 59]) requests.add(request(), noon + second * 1_000);
  requests.add(request({ status: 400 }), noon);
  requests.add(request(), noon + 60_000);
  const [first, second] = requests.take();
  expect(first).toMatchObject({
    from: '2026-11-26T12:00:00.000+00:00',
    to: '2026-11-26T12:01:00.000+00:00',
    others: [],
  });
  expect(first?.groups).toMatchObject([
    { count: 3, first_at: '2026-11-26T12:00:10.000+00:00', last_at: '2026-11-26T12:00:59.000+00:00' },
    { count: 1, status: 400 },
  ]);
  expect(second?.groups).toMatchObject([{ count: 1 }]);
  expect(requests.take()).toEqual([]);
});

it('counts a flood of different requests of different hosts in bounded groups', () => {
  const requests = new Aggregate();
  for (let index = 0; index < 20_000; index++) {
    const network = `10.${index % 200}.${index % 7}.0/24`;
    requests.add(request({ host: `h${index % 5_000}.example.com`, path: `/p/${index}`, network }), noon);
  }
  const windows = requests.take();
  expect(windows).toHaveLength(1);
  expect(windows[0]!.groups).toHaveLength(200);
  expect(windows[0]!.others).toHaveLength(51);
  expect(windows[0]!.others.at(-1)).toMatchObject({ host: null, paths: 1_000, networks: 1_000, rules: 1 });
  expect(totalOf(windows)).toBe(20_000);
});

it('counts the requests of a website among those of many invented hosts', () => {
  const requests = new Aggregate();
  for (let index = 0; index < 250; index++) requests.add(request({ host: `h${index}.example` }), noon);
  for (let index = 0; index < 2_000; index++) {
    requests.add(request({ host: 'shop.example.com', path: `/${index}` }), noon);
    requests.add(request({ host: `more${index}.example` }), noon);
  }
  const [{ others }] = requests.take() as [RequestWindow];
  const [shop] = others.filter(({ host }) => host === 'shop.example.com');
  expect(shop!.count).toBeGreaterThan(1_990);
});

it('is full before old minutes take much memory', () => {
  const requests = new Aggregate();
  let minutes = 0;
  for (; !requests.isFull; minutes++) requests.add(request(), noon + minutes * 60_000);
  expect(minutes).toBe(500);
});

it('loses no request, whatever comes', () => {
  const any = fc.record({
    host: fc.constantFrom(null, 'a.example', 'b.example'),
    action: fc.constantFrom('blocked' as const, 'detected' as const),
    path: fc.string(),
    at: fc.integer({ min: 0, max: 300_000 }),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 600 }), all => {
      const requests = new Aggregate();
      for (const { at, ...changes } of all) requests.add(request(changes), noon + at);
      expect(totalOf(requests.take())).toBe(all.length);
    }),
    { numRuns: 20 },
  );
});
