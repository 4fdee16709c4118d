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
import { Spool, type SpooledEvent } from './spool.ts';

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

/** An event with this name and length. */
function event(name: string, length = 0, ago = 0) {
  const occurredAt = new Date(Date.now() - ago * 1000).toISOString();
  const text = JSON.stringify({
    event: { id: name, occurred_at: occurredAt, pad: 'x'.repeat(length) },
    offset: 0,
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

it('drops the oldest events at the limit of its size, and counts them', async () => {
  const spool = await open({ maxBytes: 256 * 1024 });
  for (let count = 0; count < 40; count++) await spool.append([event(`e${count}`, 16_000)]);
  const kept = await names(spool);
  expect(kept.at(-1)).toBe('e39');
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => `e${40 - kept.length + index}`));
  expect(spool.stats().bytes).toBeLessThanOrEqual(256 * 1024);
  expect(kept.length).toBeGreaterThan(10);
  const dropped = spool.dropped!;
  expect(dropped).toMatchObject({ reason: 'spool_full', count: 40 - kept.length });
  // Survives a restart, with its id, until it is reported.
  const again = await open({ maxBytes: 256 * 1024 });
  expect(again.dropped).toEqual(dropped);
  await again.reported(dropped);
  expect(again.dropped).toBe(null);
  expect((await open()).dropped).toBe(null);
});

it('drops events at the limit of their age', async () => {
  const spool = await open();
  await spool.append([event('old', 0, 7_200)]);
  expect(spool.dropped).toMatchObject({ reason: 'too_old', count: 1 });
  await spool.append([event('new')]);
  expect(await names(spool)).toEqual(['new']);
  vi.useFakeTimers({ now: Date.now() + 7_200_000, toFake: ['Date'] });
  try {
    await spool.expire();
  } finally {
    vi.useRealTimers();
  }
  expect(await names(spool)).toEqual([]);
  expect(spool.dropped).toMatchObject({ count: 2 });
});

it('continues after events that were dropped while they were sent', async () => {
  const spool = await open({ maxBytes: 256 * 1024 });
  await spool.append([event('sent', 60_000)]);
  const sent = await spool.peek(everything);
  for (let count = 0; count < 12; count++) await spool.append([event(`e${count}`, 60_000)]);
  const kept = await names(spool);
  expect(kept).not.toContain('sent');
  await spool.acknowledge(sent.at(-1)!);
  expect(await names(spool)).toEqual(kept);
});

it('counts events that do not fit on the disk, and works again when there is room', async () => {
  const spool = await open();
  await spool.append([event('a')]);
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const { FileHandle } = await handles();
  const write = vi.spyOn(FileHandle, 'appendFile').mockRejectedValue(full);
  await spool.append([event('lost'), event('lost too')]);
  write.mockRestore();
  expect(spool.dropped).toMatchObject({ reason: 'disk_full', count: 2 });
  await spool.append([event('b')]);
  expect(await names(spool)).toEqual(['a', 'b']);
});

/** The prototype of file handles. */
async function handles() {
  const { open } = await import('node:fs/promises');
  const file = await open(folder, 'r');
  await file.close();
  return { FileHandle: Object.getPrototypeOf(file) as { appendFile(text: string): Promise<void> } };
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
