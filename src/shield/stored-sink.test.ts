import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { Clock } from '../agent/clock.ts';
import type { Recorded } from '../agent/sender.ts';
import type { ShieldEvent } from '../contract/shield-events.ts';
import { envelopeOf, now } from './make-events.ts';
import { StoredSink } from './stored-sink.ts';

interface Position {
  readonly at: number;
}

let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-sink-'));
  path = join(folder, 'state.json');
  return () => rmSync(folder, { recursive: true });
});

const identity = { name: 'edge', version: '1', instance: '00000000-0000-4000-8000-000000000001' };
const event = (): ShieldEvent => ({
  ...envelopeOf(identity, now()),
  kind: 'shield.dropped',
  reason: 'too_old',
  count: 1,
  from: null,
  to: null,
});

/** A spool that keeps ids, and can be made to fail. */
class MemorySpool {
  readonly ids: string[] = [];
  readonly recorded: Recorded[] = [];
  fails = false;
  failsAfterwards = false;

  async append(events: readonly { readonly text: string }[]): Promise<void> {
    if (this.fails) throw new Error('the process was killed');
    this.ids.push(...events.map(({ text }) => JSON.parse(text).event.id));
    this.recorded.push(...events.map(({ text }) => JSON.parse(text)));
    if (this.failsAfterwards) throw new Error('the process was killed');
  }
}

const open = (spool: MemorySpool, clock = new Clock(0), foreign: readonly string[] = []) =>
  StoredSink.open<Position>({ path, spool, clock, initial: { at: 0 }, foreign });

it('begins with the initial state, and continues with the stored one', async () => {
  const spool = new MemorySpool();
  const sink = await open(spool);
  expect(sink.state).toEqual({ at: 0 });
  const [first, second] = [event(), event()];
  await sink.put([first, second], { at: 7 });
  await sink.put([], { at: 9 });
  expect(spool.ids).toEqual([first.id, second.id]);
  expect((await open(spool)).state).toEqual({ at: 9 });
  expect(spool.ids).toHaveLength(2);
});

it('puts events that a crash kept out of the spool there, under the same ids', async () => {
  const spool = new MemorySpool();
  const sink = await open(spool);
  const [lost, next] = [event(), event()];
  spool.fails = true;
  await expect(sink.put([lost], { at: 7 })).rejects.toThrow();
  // The state is stored together with the event: it is not made again.
  expect(JSON.parse(readFileSync(path, 'utf8')).state).toEqual({ at: 7 });
  spool.fails = false;
  const again = await open(spool);
  expect([again.state, spool.ids]).toEqual([{ at: 7 }, [lost.id]]);
  await again.put([next], { at: 8 });
  expect(spool.ids).toEqual([lost.id, next.id]);
});

it('repeats at most the events of the last step, when it crashed after the spool had them', async () => {
  const spool = new MemorySpool();
  const [first, last] = [event(), event()];
  const sink = await open(spool);
  await sink.put([first], { at: 1 });
  spool.failsAfterwards = true;
  await expect(sink.put([last], { at: 2 })).rejects.toThrow();
  spool.failsAfterwards = false;
  expect((await open(spool)).state).toEqual({ at: 2 });
  expect(spool.ids).toEqual([first.id, last.id, last.id]);
  await open(spool);
  expect(spool.ids).toHaveLength(3);
});

it('puts events that could not be put into the spool there with the next ones', async () => {
  const spool = new MemorySpool();
  const sink = await open(spool);
  const [first, second] = [event(), event()];
  spool.fails = true;
  await expect(sink.put([first], { at: 1 })).rejects.toThrow();
  spool.fails = false;
  await sink.put([second], { at: 2 });
  expect([spool.ids, sink.state]).toEqual([[first.id, second.id], { at: 2 }]);
});

it('gives a state of an earlier version the fields that it lacks', async () => {
  writeFileSync(path, JSON.stringify({ state: { former: 1 }, events: [], offset: 0 }));
  expect((await open(new MemorySpool())).state).toEqual({ at: 0, former: 1 });
});

it.each(['{"state":', 'null', '{"state":{"at":7}}'])('begins again with a damaged file: %s', async text => {
  writeFileSync(path, text);
  expect((await open(new MemorySpool())).state).toEqual({ at: 0 });
});

it('does not begin again with a file that cannot be read', async () => {
  // Also for root, who may read everything.
  mkdirSync(path);
  await expect(open(new MemorySpool())).rejects.toThrow('EISDIR');
});

it('repeats nothing after events were put and the process stopped', async () => {
  const first = new MemorySpool();
  await (await open(first)).put([event()], { at: 1 });
  expect(first.ids).toHaveLength(1);
  const next = new MemorySpool();
  expect((await open(next)).state).toEqual({ at: 1 });
  expect(next.ids).toEqual([]);
});

const alerts = (at: string): ShieldEvent => ({
  ...envelopeOf(identity, at),
  kind: 'shield.alerts',
  alerts: [
    {
      ...{ alert: 1, scenario: 'a/b', scope: 'ip', network: null, events: 1, simulated: false },
      ...{ created_at: at, start_at: at, stop_at: at },
    },
  ],
  more: 0,
});
const [local, corrected] = ['2026-11-26T12:00:00.000Z', '2026-11-26T10:00:00.000Z'];

it("stores times of the service's clock", async () => {
  const spool = new MemorySpool();
  await (await open(spool, new Clock(-7_200_000))).put([alerts(local)], { at: 1 });
  expect(spool.recorded).toMatchObject([
    { offset: -7_200_000, event: { occurred_at: corrected, alerts: [{ stop_at: corrected }] } },
  ]);
});

it("leaves times to the sender while the service's clock is unknown, also after a crash", async () => {
  const spool = new MemorySpool();
  spool.fails = true;
  await expect((await open(spool, new Clock())).put([alerts(local)], { at: 1 })).rejects.toThrow();
  spool.fails = false;
  await open(spool, new Clock(-7_200_000));
  expect(spool.recorded).toMatchObject([{ offset: null, event: { occurred_at: local } }]);
});

it("leaves times of another machine's clock as they are", async () => {
  const spool = new MemorySpool();
  await (await open(spool, new Clock(-7_200_000), ['alerts'])).put([alerts(local)], { at: 1 });
  expect(spool.recorded).toMatchObject([
    {
      foreign: ['alerts'],
      event: { occurred_at: corrected, alerts: [{ created_at: local, stop_at: local }] },
    },
  ]);
});

it('puts events into the spool once, also if its file cannot be replaced afterwards', async () => {
  const spool = new MemorySpool();
  const sink = await open(spool);
  const [first, second] = [event(), event()];
  const append = spool.append.bind(spool);
  spool.append = async events => {
    await append(events);
    // The next replacement of the file fails.
    mkdirSync(`${path}.new`);
    writeFileSync(join(`${path}.new`, 'file'), '');
  };
  await expect(sink.put([first], { at: 1 })).rejects.toThrow();
  rmSync(`${path}.new`, { recursive: true });
  spool.append = append;
  await sink.put([second], { at: 2 });
  expect(spool.ids).toEqual([first.id, second.id]);
});
