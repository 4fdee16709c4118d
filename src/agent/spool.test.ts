import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { Spool } from './spool.ts';
import type { SpooledEvent } from './spool-files.ts';

let folder: string;
const opened: Spool[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-spool-'));
  return async () => {
    for (const spool of opened.splice(0)) await spool.close();
    rmSync(folder, { recursive: true });
  };
});

const limits = { maxBytes: 1024 * 1024, maxAgeSeconds: 3_600 };
const everything = { events: 100_000, bytes: Number.POSITIVE_INFINITY };

/** Opens it, as after a crash: the one before is not closed. */
async function open(changes: Partial<typeof limits> = {}): Promise<Spool> {
  const spool = await Spool.open(folder, { ...limits, ...changes });
  opened.push(spool);
  return spool;
}

/** An event with this name and length, which occurred and was spooled some seconds ago. */
function event(name: string, length = 0, ago = 0) {
  const spooledAt = Date.now() - ago * 1000;
  const occurredAt = new Date(spooledAt).toISOString();
  const text = JSON.stringify({
    event: { id: name, occurred_at: occurredAt, pad: 'x'.repeat(length) },
    offset: 0,
    spooledAt,
  });
  return { text, occurredAt };
}

const nameOf = ({ text }: SpooledEvent): string => JSON.parse(text).event.id;
const names = async (spool: Spool) => (await spool.peek(everything)).map(nameOf);
const segments = () =>
  readdirSync(folder).filter(name => name.endsWith('.jsonl') && name.startsWith('events'));

it('returns events in order, in batches, until they are acknowledged', async () => {
  const spool = await open();
  await spool.append(['a', 'b', 'c'].map(name => event(name)));
  const two = await spool.peek({ events: 2, bytes: 10_000 });
  expect(two.map(nameOf)).toEqual(['a', 'b']);
  expect((await spool.peek({ events: 9, bytes: 1 })).map(nameOf)).toEqual(['a']);
  await spool.acknowledge(two[0]!);
  expect(await names(spool)).toEqual(['b', 'c']);
  await spool.acknowledge((await spool.peek(everything)).at(-1)!);
  expect(await names(spool)).toEqual([]);
  expect(spool.stats()).toMatchObject({ events: 0, oldestAt: null });
});

it('keeps everything that was not acknowledged after a crash, also a half-written line before it', async () => {
  const before = await open();
  await before.append([event('a', 0, 60), event('b', 0, 30), event('c')]);
  await before.acknowledge((await before.peek(everything))[0]!);
  // Not closed, as after SIGKILL; a write was cut short.
  appendFileSync(join(folder, segments().at(-1)!), '{"event":{"id":"torn"');
  const after = await open();
  expect(await names(after)).toEqual(['b', 'c']);
  expect(after.stats()).toMatchObject({ events: 2 });
  expect(Date.parse(after.stats().oldestAt!)).toBeLessThan(Date.now() - 29_000);
  await after.append([event('d')]);
  expect(await names(after)).toEqual(['b', 'c', 'd']);
  expect(await names(await open())).toEqual(['b', 'c', 'd']);
});

it('begins again where its state file is damaged, and sends events twice rather than never', async () => {
  const before = await open();
  await before.append([event('a'), event('b')]);
  await before.acknowledge((await before.peek(everything))[0]!);
  writeFileSync(join(folder, 'spool.json'), '{"position":');
  expect(await names(await open())).toEqual(['a', 'b']);
});

it.each([
  { segment: 999_999, offset: 0 },
  { segment: 1, offset: 99_999 },
  { segment: 0, offset: 5 },
])('hides no new event behind a position that cannot be: %j', async position => {
  const before = await open();
  await before.append([event('a')]);
  await before.close();
  writeFileSync(join(folder, 'spool.json'), JSON.stringify({ position, dropped: [], setAside: 0 }));
  const spool = await open();
  expect(spool.stats().bytes).toBeGreaterThanOrEqual(0);
  await spool.append([event('b')]);
  expect((await names(spool)).at(-1)).toBe('b');
  if (position.segment !== 1) expect(await names(spool)).toEqual(['a', 'b']);
});

it('drops the oldest events at the limit of its size, and counts them', async () => {
  const spool = await open({ maxBytes: 256 * 1024 });
  for (let count = 0; count < 40; count++) await spool.append([event(`e${count}`, 16_000)]);
  const kept = await names(spool);
  expect(kept.at(-1)).toBe('e39');
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => `e${40 - kept.length + index}`));
  expect(spool.stats().bytes).toBeLessThanOrEqual(256 * 1024);
  expect(kept.length).toBeGreaterThan(10);
  const { dropped } = spool;
  expect(dropped).toMatchObject([{ reason: 'spool_full', count: 40 - kept.length }]);
  // Survives a restart, with its id, until it is reported.
  const again = await open({ maxBytes: 256 * 1024 });
  expect(again.dropped).toEqual(dropped);
  await again.reported(dropped[0]!.id);
  expect(again.dropped).toEqual([]);
  expect((await open()).dropped).toEqual([]);
});

/** Does something at a time that is later by these seconds, by the clock that nothing sets. */
async function later(seconds: number, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const time = vi.spyOn(performance, 'now').mockImplementation(() => start + seconds * 1000);
  try {
    await work();
  } finally {
    time.mockRestore();
  }
}

it('drops events at the limit of their age, which begins when they are put into the spool', async () => {
  const spool = await open();
  const day = 86_400;
  // The service's clock is behind, or ahead.
  await spool.append([event('behind', 0, 365 * day), event('ahead', 0, -365 * day)]);
  await later(3_500, () => spool.expire());
  expect([await names(spool), spool.dropped]).toEqual([['behind', 'ahead'], []]);
  await later(3_700, () => spool.expire());
  expect([await names(spool), spool.dropped]).toEqual([
    [],
    [expect.objectContaining({ reason: 'too_old', count: 2 })],
  ]);
  await spool.append([event('new')]);
  expect(await names(spool)).toEqual(['new']);
});

it('drops events at the limit of their age while others arrive, also behind some that were acknowledged', async () => {
  const spool = await open({ maxAgeSeconds: 16 });
  await spool.append([event('sent')]);
  await spool.acknowledge((await spool.peek(everything))[0]!);
  // More than one in each sixteenth of the limit.
  for (let count = 0; count < 80; count++) {
    await later(2 + count / 2, () => spool.append([event(`e${count}`)]));
  }
  await later(42, () => spool.expire());
  const [first] = await names(spool);
  const age = 40 - Number(first!.slice(1)) / 2;
  expect([age <= 17, age >= 15]).toEqual([true, true]);
  expect(spool.dropped).toMatchObject([{ reason: 'too_old', count: Number(first!.slice(1)) }]);
});

it('drops events that were too old before it started, and none because of a clock that was set', async () => {
  const cases = [
    { ago: 7_200, kept: [] },
    { ago: 3_000, kept: ['a'] },
    // The clock was set back meanwhile.
    { ago: -864_000, kept: ['a'] },
    // It began in 1970.
    { ago: Date.now() / 1000, kept: ['a'] },
  ];
  for (const { ago, kept } of cases) {
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'parapet-spool-'));
    await (await open()).append([event('a', 0, ago)]);
    const spool = await open();
    await spool.expire();
    expect([ago, await names(spool)]).toEqual([ago, kept]);
  }
});

it('loses no count of dropped events with the report of them', async () => {
  const spool = await open();
  const report = (count: number) => {
    const occurred_at = new Date().toISOString();
    const lost = { kind: 'probe.dropped', count, from: '2026-01-01T00:00:00.000Z', to: occurred_at };
    return { text: JSON.stringify({ event: { ...lost, occurred_at }, offset: 0 }), occurredAt: occurred_at };
  };
  await spool.append([report(40), event('a')]);
  await later(3_700, () => spool.expire());
  expect(spool.dropped).toMatchObject([{ count: 41, from: '2026-01-01T00:00:00.000Z' }]);
  // The report of that does not fit on the disk.
  const restore = await fillDisk();
  const [dropped] = await spool.sealDropped();
  await spool.append([report(41)]);
  await spool.reported(dropped!.id);
  restore();
  expect(spool.dropped).toMatchObject([{ count: 41 }]);
});

it('counts what is dropped for each reason, and nothing more under the id of a report that may have left', async () => {
  const spool = await open({ maxBytes: 256 * 1024 });
  await spool.append([event('old')]);
  await later(3_700, () => spool.expire());
  for (let count = 0; count < 40; count++) await spool.append([event(`e${count}`, 16_000)]);
  const sealed = await spool.sealDropped();
  expect(sealed).toMatchObject([
    { reason: 'too_old', count: 1 },
    { reason: 'spool_full', count: expect.any(Number) },
  ]);
  // A crash before the report is noted: the next start reports the same, and counts more under another id.
  const again = await open({ maxBytes: 256 * 1024 });
  for (let count = 0; count < 40; count++) await again.append([event(`f${count}`, 16_000)]);
  expect(again.dropped.slice(0, 2)).toEqual(sealed);
  expect(again.dropped).toHaveLength(3);
  for (const { id } of sealed) await again.reported(id);
  expect((await open()).dropped).toMatchObject([{ reason: 'spool_full', isSealed: false }]);
});

it('continues after events that were dropped while they were sent', async () => {
  const spool = await open({ maxBytes: 256 * 1024 });
  await spool.append([event('sent', 60_000)]);
  const sent = await spool.peek(everything);
  for (let count = 0; count < 12; count++) await spool.append([event(`e${count}`, 60_000)]);
  const kept = await names(spool);
  expect(kept).not.toContain('sent');
  const before = spool.stats();
  await spool.acknowledge(sent.at(-1)!);
  expect([await names(spool), spool.stats()]).toEqual([kept, before]);
  expect(await names(await open({ maxBytes: 256 * 1024 }))).toEqual(kept);
});

it('counts events that do not fit on the disk, and works again when there is room', async () => {
  const spool = await open();
  await spool.append([event('a')]);
  const appended = vi.fn();
  spool.onAppend = appended;
  const restore = await fillDisk();
  await spool.append([event('lost'), event('lost too')]);
  restore();
  // Otherwise the report of the loss would be tried again and again.
  expect(appended).not.toHaveBeenCalled();
  expect(spool.dropped).toMatchObject([{ reason: 'disk_full', count: 2 }]);
  await spool.append([event('b')]);
  expect(await names(spool)).toEqual(['a', 'b']);
});

it('counts each event once that a full disk loses', async () => {
  const spool = await open();
  const restore = await fillDisk(1);
  // Two fill the first segment.
  await spool.append(['a', 'b', 'c'].map(name => event(name, 40_000)));
  restore();
  expect(await names(spool)).toEqual([]);
  expect(spool.dropped).toMatchObject([{ reason: 'disk_full', count: 3 }]);
});

it('continues behind what an error of the disk left of an event', async () => {
  const spool = await open();
  await spool.append([event('a')]);
  const restore = await fillDisk(0, 'EIO');
  await expect(spool.append([event('b')])).rejects.toThrow('EIO');
  restore();
  await spool.append([event('c')]);
  expect(await names(spool)).toEqual(['a', 'c']);
  expect(await names(await open())).toEqual(['a', 'c']);
});

/**
 * After some writes, they leave a part of a line and fail.
 *
 * @returns a function that makes room again
 */
async function fillDisk(writes = 0, code = 'ENOSPC'): Promise<() => void> {
  const { open } = await import('node:fs/promises');
  const file = await open(folder, 'r');
  await file.close();
  type Handle = { appendFile(text: string): Promise<void> };
  const handles = Object.getPrototypeOf(file) as Handle;
  const { appendFile } = handles;
  let left = writes;
  const write = vi.spyOn(handles, 'appendFile').mockImplementation(async function (this: Handle, text) {
    left -= 1;
    await appendFile.call(this, left < 0 ? text.slice(0, 10) : text);
    if (left < 0) throw Object.assign(new Error(code), { code });
  });
  return () => write.mockRestore();
}

it('keeps refused events with their reason, within a bound', async () => {
  const spool = await open();
  await spool.append([event('bad', 100_000)]);
  const [bad] = await spool.peek(everything);
  for (let count = 0; count < 30; count++) await spool.setAside(bad!, 'kind must be known');
  const [line] = readFileSync(join(folder, 'set-aside.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(line!)).toMatchObject({ reason: 'kind must be known', event: { id: 'bad' } });
  const bytes = ['set-aside.jsonl', 'set-aside.jsonl.1'].map(name => statSync(join(folder, name)).size);
  expect(Math.max(...bytes)).toBeLessThan(1.2 * 1024 * 1024);
  expect((await open()).stats().setAside).toBe(30);
  await spool.setAside({ ...bad!, text: '{"damaged' }, 'must be an object');
  const written = readFileSync(join(folder, 'set-aside.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
  expect(JSON.parse(written!)).toEqual({ reason: 'must be an object', text: '{"damaged' });
});

it('loses and repeats nothing in any order of appends, acknowledgments and restarts', async () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 5 }),
      length: fc.integer({ min: 0, max: 40_000 }),
    }),
    fc.record({ do: fc.constant('acknowledge' as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('restart' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
      rmSync(folder, { recursive: true });
      folder = mkdtempSync(join(tmpdir(), 'parapet-spool-'));
      const room = { maxBytes: 100 * 1024 * 1024 };
      let spool = await open(room);
      let next = 0;
      const waiting: string[] = [];
      for (const action of steps) {
        if (action.do === 'restart') spool = await open(room);
        else if (action.do === 'append') {
          const added = Array.from({ length: action.count }, () => `e${next++}`);
          waiting.push(...added);
          await spool.append(added.map(name => event(name, action.length)));
        } else {
          const batch = await spool.peek({ events: action.count, bytes: 1e9 });
          if (batch.length > 0) await spool.acknowledge(batch.at(-1)!);
          waiting.splice(0, batch.length);
        }
        expect(await names(spool)).toEqual(waiting);
        expect(spool.stats().events).toBe(waiting.length);
      }
    }),
    { numRuns: 40 },
  );
});
