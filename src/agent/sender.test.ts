import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../contract/limits.ts';
import { BackOff } from './back-off.ts';
import { Clock, shiftTimes } from './clock.ts';
import { KeyUnusable } from './key-file.ts';
import { Sender } from './sender.ts';
import type { ServiceAnswer } from './service-connection.ts';
import { Spool } from './spool.ts';
import { spoolEvents } from './spool-events.ts';

let folder: string;
let spool: Spool;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-sender-'));
  spool = await Spool.open(folder, { maxBytes: 64 * 1024 * 1024, maxAgeSeconds: 3_600 });
  return async () => {
    await spool.close();
    rmSync(folder, { recursive: true });
  };
});

type Answer = Partial<ServiceAnswer> | Error;

/** A service that answers in turn, and accepts everything after that; or as the function says. */
function service(answers: Answer[] | ((body: string) => Answer), clock = new Clock(0)) {
  const batches: { id: string; occurred_at: string }[][] = [];
  const sizes: number[] = [];
  const waits: number[] = [];
  const logged: string[] = [];
  const post = async (_: string, body: string): Promise<ServiceAnswer> => {
    const { events } = JSON.parse(body);
    batches.push(events);
    sizes.push(Buffer.byteLength(body));
    const answer = (typeof answers === 'function' ? answers(body) : answers.shift()) ?? {};
    if (answer instanceof Error) throw answer;
    const accepted = { accepted: events.length, duplicates: 0, rejected: [] };
    return { status: 202, json: accepted, corrected: 0, ...answer };
  };
  const sender = new Sender({
    spool,
    connection: { post },
    clock,
    target: '/functions/v1/events-ingest',
    log: event => void logged.push(event),
    wait: async milliseconds => void waits.push(milliseconds),
  });
  const drain = () => sender.drain(new AbortController().signal);
  const ids = () => batches.map(batch => batch.map(event => event?.id));
  return { drain, batches, sizes, waits, logged, ids };
}

const add = (names: readonly string[], offset: number | null = 0, length = 0) =>
  spool.append(
    names.map(id => {
      const occurredAt = new Date().toISOString();
      const event = { id, occurred_at: occurredAt, pad: 'x'.repeat(length) };
      return { text: JSON.stringify({ event, offset }), occurredAt };
    }),
  );

it('sends everything in order, within the limits of a request', async () => {
  const names = Array.from({ length: 1_200 }, (_, index) => `e${index}`);
  await add(names);
  await add(['large', 'larger', 'largest'], 0, 150_000);
  const { drain, ids, sizes, batches } = service([]);
  expect(await drain()).toBe(true);
  expect(ids().flat()).toEqual([...names, 'large', 'larger', 'largest']);
  expect(Math.max(...batches.map(batch => batch.length))).toBe(limits.eventsPerBatch);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.bodyBytes);
});

it('tries again with longer and longer pauses, and forgets them after a success', async () => {
  await add(['a']);
  const down = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const { drain, ids, waits, logged } = service([
    down,
    { status: 500 },
    { status: 502, json: undefined },
    down,
  ]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual(Array(5).fill(['a']));
  expect(waits).toHaveLength(4);
  for (const [index, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(1_000 * 2 ** index);
  expect(new Set(logged)).toEqual(new Set(['service.unreachable', 'service.failed', 'events.sent']));
  expect(spool.stats()).toMatchObject({ events: 0, setAside: 0 });
});

it('logs a key that cannot be used under its own name', async () => {
  await add(['a']);
  const { drain, logged } = service([new KeyUnusable('key.json does not exist')]);
  expect(await drain()).toBe(true);
  expect(logged).toEqual(['key.unusable', 'events.sent']);
});

it('has full jitter up to a limit', () => {
  const highest = new BackOff(1_000, 60_000, () => 1);
  const delays = Array.from({ length: 10 }, () => highest.next());
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, ...Array(4).fill(60_000)]);
  expect(new BackOff(1_000, 60_000, () => 0).next()).toBe(0);
});

it('splits a batch that is too large, down to the event that is', async () => {
  await add(['a', 'b', 'c', 'd']);
  const tooLarge = { status: 413, json: { error: 'Payload too large' } };
  const { drain, ids } = service([tooLarge, tooLarge, tooLarge]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['a'], ['b', 'c', 'd']]);
  expect(spool.stats().setAside).toBe(1);
});

it('keeps the size that a proxy lets through, and tries larger ones at times', async () => {
  await add(
    Array.from({ length: 1_000 }, (_, index) => `e${index}`),
    0,
    2_000,
  );
  const statuses: number[] = [];
  const { drain } = service(body => {
    const status = Buffer.byteLength(body) > 65_536 ? 413 : 202;
    statuses.push(status);
    return status === 413 ? { status, json: undefined } : {};
  });
  expect(await drain()).toBe(true);
  expect(spool.stats()).toMatchObject({ events: 0, setAside: 0 });
  expect(statuses.filter(status => status === 413).length).toBeLessThan(8);
  // Larger batches were tried again.
  expect(statuses.lastIndexOf(413)).toBeGreaterThan(10);
});

it('sets aside what the service refuses by name, and sends the rest', async () => {
  await add(['a', 'b', 'c']);
  const receipt = {
    accepted: 2,
    duplicates: 0,
    rejected: [{ index: 1, error: 'schema 2 is not supported' }],
  };
  const { drain, logged } = service([{ json: receipt }]);
  expect(await drain()).toBe(true);
  expect(spool.stats()).toMatchObject({ events: 0, setAside: 1 });
  expect(logged).toContain('event.set_aside');
});

it('finds the events of a refused batch that the service does not name', async () => {
  await add(['a', 'b', 'c']);
  const refused = (fields?: object[]) => ({ status: 400, json: { error: 'Invalid body', fields } });
  const named = refused([{ path: 'events.0', message: 'is invalid' }]);
  const { drain, ids } = service([named, named, refused()]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual([['a', 'b', 'c'], ['a'], ['b', 'c'], ['b'], ['c']]);
  expect(spool.stats().setAside).toBe(1);
});

it('keeps events that were refused because of a dashboard key', async () => {
  await add(['a', 'b']);
  const fields = [{ path: 'system_id', message: 'is required with a dashboard key' }];
  const { drain, ids, waits, logged } = service([{ status: 400, json: { error: 'Invalid body', fields } }]);
  expect(await drain()).toBe(true);
  expect([ids().length, waits.length, spool.stats().setAside]).toEqual([2, 1, 0]);
  expect(logged).toContain('service.refused');
});

it('does not give up events because of a proxy that answers instead of the service', async () => {
  await add(['a']);
  const { drain, ids, waits } = service([
    { status: 400, json: undefined },
    { status: 202, json: '<html>' },
    { status: 302, json: undefined },
    { status: 404, json: { error: 'Not found' } },
  ]);
  expect(await drain()).toBe(true);
  expect(ids()).toHaveLength(5);
  expect(waits).toHaveLength(4);
  expect(spool.stats().setAside).toBe(0);
});

it.each([
  ['an entry that is nothing', [null]],
  ['an index of no event', [{ index: 2, error: 'x' }]],
  ['an index that is no number', [{ index: '0', error: 'x' }]],
  ['a negative index', [{ index: -1, error: 'x' }]],
  ['no reason', [{ index: 0 }]],
  ['the same event twice', Array(2).fill({ index: 0, error: 'x' })],
  ['more entries than events', Array(40_000).fill({ index: 0, error: 'x' })],
])('gives up no event because of a receipt with %s', async (_, rejected) => {
  await add(['a', 'b']);
  const { drain, ids, waits } = service([{ json: { accepted: 1, duplicates: 0, rejected } }]);
  expect(await drain()).toBe(true);
  expect([ids(), waits.length]).toEqual([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    1,
  ]);
  expect(spool.stats().setAside).toBe(0);
});

it('ignores fields of a refused batch that are not of its events', async () => {
  await add(['a', 'b']);
  const fields = [
    null,
    'x',
    { path: 'events.0', message: null },
    { path: 'events.7', message: 'x' },
    { path: `events.${'9'.repeat(100_000)}`, message: 'x' },
    { path: 'events.1', message: 'y'.repeat(100_000) },
  ];
  const refused = { status: 400, json: { error: 'Invalid body', fields } };
  const { drain, ids } = service([refused, refused, { json: { error: 'x', rejected: [] } }]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual([['a', 'b'], ['a'], ['b'], ['b']]);
  expect(spool.stats().setAside).toBe(1);
});

it('keeps a part of a long reason', async () => {
  await add(['a']);
  const rejected = [{ index: 0, error: 'x'.repeat(1_000_000) }];
  const { drain } = service([{ json: { accepted: 0, duplicates: 0, rejected } }]);
  await drain();
  expect(spool.stats().setAside).toBe(1);
  expect(statSync(join(folder, 'set-aside.jsonl')).size).toBeLessThan(2_000);
});

it('sends again at once after its clock was corrected, and pauses after any other 401', async () => {
  await add(['a']);
  const { drain, waits, logged } = service([{ status: 401, corrected: 3_600_000 }, { status: 401 }]);
  expect(await drain()).toBe(true);
  expect(waits).toHaveLength(1);
  expect(logged).toEqual(['clock.corrected', 'service.refused', 'events.sent']);
});

it('pauses when its clock was corrected again without a success in between', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
  await add(['a', 'b'], 0, 150_000);
  const days = 86_400_000;
  const jumps = [40, -80, 80].map(by => ({ status: 401, corrected: by * days }));
  const { drain, waits } = service([...jumps, {}, jumps[0]!]);
  expect(await drain()).toBe(true);
  random.mockRestore();
  expect(waits.map(wait => Math.round(wait / 1_000))).toEqual([10, 20]);
});

it.each([401, 403, 404])(
  'pauses longer and longer after %i, and forgets it after a success',
  async status => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
    await add(['a', 'b'], 0, 150_000);
    const refused = { status };
    const { drain, waits } = service([refused, refused, {}, refused]);
    expect(await drain()).toBe(true);
    random.mockRestore();
    expect(waits.map(wait => Math.round(wait / 1_000))).toEqual([10, 20, 10]);
  },
);

it('stays within the limit of the key', async () => {
  await add(
    Array.from({ length: 80 }, (_, index) => `e${index}`),
    0,
    150_000,
  );
  const { drain, waits, ids } = service([]);
  expect(await drain()).toBe(true);
  expect(ids()).toHaveLength(80);
  expect(waits.length).toBe(80 - 50);
  expect(Math.max(...waits)).toBeGreaterThan(50_000);
});

it('stops when aborted, and keeps the events', async () => {
  await add(['a']);
  const stop = new AbortController();
  const sender = new Sender({
    spool,
    connection: {
      post: async () => {
        stop.abort();
        throw new Error('aborted');
      },
    },
    clock: new Clock(),
    target: '/functions/v1/events-ingest',
    log: () => {},
  });
  expect(await sender.drain(stop.signal)).toBe(false);
  expect(spool.stats().events).toBe(1);
});

it('corrects the times of events that were recorded before the time of the service was known', async () => {
  await add(['unknown'], null);
  await add(['known'], 0);
  const clock = new Clock();
  const ahead = new Date(Date.now() + 3_600_000).toUTCString();
  expect(clock.learn(ahead, Date.now())).toBeGreaterThan(3_590_000);
  const { drain, batches } = service([], clock);
  await drain();
  const [unknown, known] = batches.flat().map(event => Date.parse(event.occurred_at) - Date.now());
  expect(unknown).toBeGreaterThan(3_500_000);
  expect(known).toBeLessThanOrEqual(0);
});

it("leaves times of another machine's clock as they are", async () => {
  const alert = { alert: 1, created_at: '2990-01-01T00:00:00Z' };
  const event = { id: 'a', occurred_at: '2990-01-01T00:00:00.000Z', alerts: [alert] };
  await spoolEvents(spool, [event], null, ['alerts']);
  const { drain, batches } = service([], new Clock(1_000));
  await drain();
  expect(batches.flat()).toEqual([{ ...event, occurred_at: '2990-01-01T00:00:01.000Z' }]);
});

it('learns the time from answers, and ignores small differences and answers without a time', () => {
  const clock = new Clock();
  expect([clock.learn(undefined, Date.now()), clock.offset]).toEqual([0, null]);
  expect([clock.learn(new Date().toUTCString(), Date.now()), clock.offset]).toEqual([0, 0]);
  expect(clock.learn(new Date(Date.now() - 600_000).toUTCString(), Date.now())).toBeLessThan(-590_000);
  expect(Date.now() - clock.now()).toBeGreaterThan(590_000);
  expect(clock.learn(new Date().toUTCString(), Date.now())).toBeGreaterThan(590_000);
  expect(clock.offset).toBe(0);
});

it.each([
  'Sat, 13 Sep 275760 00:00:00 GMT',
  'Fri, 31 Dec 2199 00:00:00 GMT',
  'Fri, 01 Jan 1999 00:00:00 GMT',
  'now',
])('learns no time that cannot be: %s', date => {
  const clock = new Clock();
  expect([clock.learn(date, Date.now()), clock.offset]).toEqual([0, null]);
});

it.each([8.64e15, -8.64e15, Number.NaN])('begins again with an offset that cannot be: %d', offset => {
  const clock = new Clock(offset);
  expect([clock.offset, Date.parse(clock.timestamp()) - Date.now() < 1_000]).toEqual([null, true]);
});

it('shifts times only', () => {
  const event = {
    id: '2026',
    at: 'x',
    occurred_at: '2026-01-01T00:00:00.000Z',
    list: [{ since: '2026-01-01T00:00:00Z', to: null }],
  };
  expect(shiftTimes(event, 1_000)).toEqual({
    ...event,
    occurred_at: '2026-01-01T00:00:01.000Z',
    list: [{ since: '2026-01-01T00:00:01.000Z', to: null }],
  });
});

it.each(['null', '5', '{"a":1}', '{"event":null,"offset":null}', 'damaged'])(
  'sets aside a damaged line, and sends the others: %s',
  async text => {
    await add(['a']);
    await spool.append([{ text, occurredAt: new Date().toISOString() }]);
    await add(['b']);
    const receipt = { accepted: 2, duplicates: 0, rejected: [{ index: 1, error: 'must be an object' }] };
    const { drain, batches } = service([{ json: receipt }]);
    expect(await drain()).toBe(true);
    expect(batches[0]?.map(event => event?.id)).toEqual(['a', undefined, 'b']);
    expect(spool.stats()).toMatchObject({ events: 0, setAside: 1 });
  },
);

it.each([
  { accepted: 0, duplicates: 0, rejected: [] },
  { accepted: 1, rejected: [] },
  { accepted: 3, duplicates: 0, rejected: [] },
  { accepted: 3, duplicates: -1, rejected: [] },
])('keeps events that a receipt does not count: %j', async json => {
  await add(['a', 'b']);
  const { drain, ids } = service([{ json }]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('keeps small events when a proxy answers that all requests are too large', async () => {
  await add(['a', 'b']);
  const { drain, ids } = service([
    { status: 413, json: undefined },
    { status: 413, json: undefined },
  ]);
  expect(await drain()).toBe(true);
  expect(ids()).toEqual([['a', 'b'], ['a'], ['a'], ['b']]);
  expect(spool.stats()).toMatchObject({ events: 0, setAside: 0 });
});
