import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeAtomically } from './write-atomically.ts';

/** An event as it waits in the spool. */
export interface SpooledEvent {
  /** JSON with the event in the field `event`. */
  readonly text: string;
  /** Place behind the event: `acknowledge` takes it. */
  readonly next: Position;
}

interface Position {
  readonly segment: number;
  /** Bytes from the start of the segment. */
  readonly offset: number;
}

export interface SpoolLimits {
  readonly maxBytes: number;
  readonly maxAgeSeconds: number;
}

export type DropReason = 'spool_full' | 'too_old' | 'disk_full';

/** Events that were dropped and not yet reported by an event. */
export interface Dropped {
  /** The id of the event that reports them, the same at every attempt. */
  readonly id: string;
  readonly reason: DropReason;
  readonly count: number;
  readonly from: string | null;
  readonly to: string | null;
}

export interface SpoolStats {
  readonly events: number;
  readonly bytes: number;
  /** Time of occurrence of the oldest event; null if the spool is empty. */
  readonly oldestAt: string | null;
  /** Events that the service refused. */
  readonly setAside: number;
}

interface Segment {
  readonly number: number;
  bytes: number;
  events: number;
  /** Times of occurrence of the first and last event. */
  from: string | null;
  to: string | null;
}

interface State {
  position: Position;
  dropped: Dropped | null;
  setAside: number;
}

const segmentName = /^events-(\d{12})\.jsonl$/;
const nameOf = (number: number) => `events-${String(number).padStart(12, '0')}.jsonl`;
/** Bytes of refused events that are kept with their reasons, in each of two files. */
const setAsideBytes = 1024 * 1024;

/**
 * A queue of events on disk. An event is durable when `append` returns, and leaves only when it is acknowledged, set
 * aside, or among the oldest when a limit is reached. Events are lines of numbered segment files, which are removed as a
 * whole.
 */
export class Spool {
  readonly #folder: string;
  readonly #limits: SpoolLimits;
  readonly #segments: Segment[];
  #state: State;
  #writer: FileHandle | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #onAppend = () => {};

  private constructor(folder: string, limits: SpoolLimits, segments: Segment[], state: State) {
    this.#folder = folder;
    this.#limits = limits;
    this.#segments = segments;
    this.#state = state;
  }

  /** Opens the spool in a folder. Removes what a crash left unfinished. */
  static async open(folder: string, limits: SpoolLimits): Promise<Spool> {
    const numbers = (await readdir(folder)).flatMap(name => Number(segmentName.exec(name)?.[1] ?? []) || []);
    const segments: Segment[] = [];
    for (const number of numbers.sort((a, b) => a - b)) segments.push(await readSegment(folder, number));
    const first = { segment: segments[0]?.number ?? 1, offset: 0 };
    const state = (await readState(folder)) ?? { position: first, dropped: null, setAside: 0 };
    const position = state.position.segment < first.segment ? first : state.position;
    const spool = new Spool(folder, limits, segments, { ...state, position: { ...position, offset: 0 } });
    await spool.#skipTo(position);
    return spool;
  }

  /** Called after each `append`. */
  set onAppend(listener: () => void) {
    this.#onAppend = listener;
  }

  /**
   * Stores events durably, in order. Drops the oldest ones to make room. Events that do not fit on the disk are counted
   * as dropped.
   *
   * @param events their JSON, without line breaks, as in `SpooledEvent`, and when they occurred
   */
  append(events: readonly { readonly text: string; readonly occurredAt: string }[]): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#write(events);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        await this.#dropForDisk(events);
      }
      await this.#enforceLimits();
      this.#onAppend();
    });
  }

  /** The oldest events, at most this many and with at most this many bytes of JSON; one is returned if it is larger. */
  peek(most: { readonly events: number; readonly bytes: number }): Promise<SpooledEvent[]> {
    return this.#inTurn(async () => {
      const found: SpooledEvent[] = [];
      let bytes = 0;
      for (const segment of this.#segments) {
        if (segment.number < this.#state.position.segment) continue;
        const start = segment.number === this.#state.position.segment ? this.#state.position.offset : 0;
        for await (const { text, end } of linesOf(this.#path(segment.number), start, segment.bytes)) {
          bytes += Buffer.byteLength(text) + 1;
          if (found.length > 0 && (bytes > most.bytes || found.length >= most.events)) return found;
          found.push({ text, next: { segment: segment.number, offset: end } });
        }
      }
      return found;
    });
  }

  /** Removes all events up to this one. */
  acknowledge(last: SpooledEvent): Promise<void> {
    return this.#inTurn(async () => {
      const { position } = this.#state;
      // The events may have been dropped while they were sent.
      if (isBehind(position, last.next)) await this.#skipTo(last.next);
    });
  }

  /** Keeps an event that the service refused, with the reason, outside of the queue. */
  setAside(event: SpooledEvent, reason: string): Promise<void> {
    return this.#inTurn(async () => {
      const path = join(this.#folder, 'set-aside.jsonl');
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      if (size > setAsideBytes) await rename(path, `${path}.1`);
      const file = await open(path, 'a', 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ reason, ...Object(parsed(event.text)) })}\n`);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      } finally {
        await file.close();
      }
      this.#state.setAside += 1;
      await this.#save();
    });
  }

  /** What was dropped since the last report. */
  get dropped(): Dropped | null {
    return this.#state.dropped;
  }

  /** The event about these dropped events is in the spool. */
  reported(dropped: Dropped): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state.dropped?.id !== dropped.id) return;
      const more = this.#state.dropped.count - dropped.count;
      this.#state.dropped = more > 0 ? { ...this.#state.dropped, id: randomUUID(), count: more } : null;
      await this.#save();
    });
  }

  stats(): SpoolStats {
    const waiting = this.#segments.filter(({ events }) => events > 0);
    return {
      events: waiting.reduce((sum, { events }) => sum + events, 0),
      bytes: this.#segments.reduce((sum, { bytes }) => sum + bytes, 0) - this.#state.position.offset,
      oldestAt: waiting[0]?.from ?? null,
      setAside: this.#state.setAside,
    };
  }

  async close(): Promise<void> {
    await this.#work.catch(() => {});
    await this.#writer?.close();
    this.#writer = undefined;
  }

  /** Drops events that are older than the limit. */
  expire(): Promise<void> {
    return this.#inTurn(() => this.#enforceLimits());
  }

  #path(segment: number): string {
    return join(this.#folder, nameOf(segment));
  }

  /** One change at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #write(events: readonly { readonly text: string; readonly occurredAt: string }[]): Promise<void> {
    for (let rest = events; rest.length > 0; ) {
      const segment = await this.#current();
      const room = Math.max(1, this.#segmentBytes() - segment.bytes);
      let size = 0;
      let taken = 0;
      const lines: string[] = [];
      while (taken < rest.length && (taken === 0 || size < room)) {
        const line = `${rest[taken]!.text}\n`;
        size += Buffer.byteLength(line);
        lines.push(line);
        taken += 1;
      }
      await this.#writer!.appendFile(lines.join(''));
      await this.#writer!.datasync();
      segment.bytes += size;
      segment.events += taken;
      segment.from ??= rest[0]!.occurredAt;
      segment.to = rest[taken - 1]!.occurredAt;
      rest = rest.slice(taken);
    }
  }

  /** A sixteenth of the limit: what is dropped at once. */
  #segmentBytes(): number {
    return Math.min(4 * 1024 * 1024, Math.max(64 * 1024, Math.floor(this.#limits.maxBytes / 16)));
  }

  /** The segment for new events, open for writing. */
  async #current(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (this.#writer && last && last.bytes < this.#segmentBytes()) return last;
    await this.#writer?.close();
    this.#writer = undefined;
    // The first write after a start begins a new segment, so that a damaged one is never continued.
    const number = Math.max(last?.number ?? 0, this.#state.position.segment - 1) + 1;
    this.#writer = await open(this.#path(number), 'a', 0o600);
    await syncFolder(this.#folder);
    const segment: Segment = { number, bytes: 0, events: 0, from: null, to: null };
    this.#segments.push(segment);
    return segment;
  }

  async #enforceLimits(): Promise<void> {
    const oldest = new Date(Date.now() - this.#limits.maxAgeSeconds * 1000).toISOString();
    while (this.#segments.length > 0) {
      const [first] = this.#segments;
      if (this.stats().bytes > this.#limits.maxBytes && this.#segments.length > 1)
        await this.#dropFirst('spool_full');
      else if (first!.events > 0 && first!.to !== null && first!.to < oldest)
        await this.#dropFirst('too_old');
      else return;
    }
  }

  async #dropFirst(reason: DropReason): Promise<void> {
    const first = this.#segments[0]!;
    this.#count(reason, first.events, first.from, first.to);
    if (this.#segments.length === 1) {
      await this.#writer?.close();
      this.#writer = undefined;
    }
    await this.#skipTo({ segment: first.number + 1, offset: 0 });
  }

  /** Frees space by dropping the oldest segment; without one, the new events are lost. */
  async #dropForDisk(
    events: readonly { readonly text: string; readonly occurredAt: string }[],
  ): Promise<void> {
    // What was written of the events is not complete: a new segment follows.
    const last = this.#segments.at(-1);
    if (last) await truncate(this.#path(last.number), last.bytes).catch(() => {});
    if (this.#segments.length > 1) {
      await this.#dropFirst('disk_full');
      try {
        return await this.#write(events);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
    }
    this.#count('disk_full', events.length, events[0]!.occurredAt, events.at(-1)!.occurredAt);
    await this.#save();
  }

  #count(reason: DropReason, count: number, from: string | null, to: string | null): void {
    if (count === 0) return;
    const before = this.#state.dropped;
    this.#state.dropped = {
      id: before?.id ?? randomUUID(),
      reason: before?.reason ?? reason,
      count: (before?.count ?? 0) + count,
      from: before?.from ?? from,
      to,
    };
  }

  /** Continues at a position, and removes the segments before it. */
  async #skipTo(position: Position): Promise<void> {
    const before = this.#state.position;
    this.#state.position = position;
    const current = this.#segments.find(({ number }) => number === position.segment);
    if (current) {
      const start = before.segment === position.segment ? before.offset : 0;
      for await (const _ of linesOf(this.#path(position.segment), start, position.offset))
        current.events -= 1;
      if (current.events > 0) current.from = await this.#firstTime(current);
    }
    await this.#save();
    while (this.#segments[0] && this.#segments[0].number < position.segment) {
      const { number } = this.#segments.shift()!;
      await rm(this.#path(number), { force: true });
    }
  }

  async #firstTime({ number, bytes }: Segment): Promise<string | null> {
    for await (const { text } of linesOf(this.#path(number), this.#state.position.offset, bytes))
      return timeOf(text);
    return null;
  }

  async #save(): Promise<void> {
    try {
      await writeAtomically(join(this.#folder, 'spool.json'), JSON.stringify(this.#state));
    } catch (error) {
      // The events before the position are sent again, and are duplicates for the service.
      if (!isDiskFull(error)) throw error;
    }
  }
}

function isBehind(one: Position, other: Position): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset);
}

async function readState(folder: string): Promise<State | undefined> {
  try {
    const state = JSON.parse(await readFile(join(folder, 'spool.json'), 'utf8')) as State;
    return Number.isInteger(state.position?.segment) && Number.isInteger(state.position.offset)
      ? state
      : undefined;
  } catch {
    return undefined;
  }
}

/** The events of a segment, whose last line may be incomplete after a crash: that part is removed. */
async function readSegment(folder: string, number: number): Promise<Segment> {
  const path = join(folder, nameOf(number));
  const { size } = await stat(path);
  const segment: Segment = { number, bytes: 0, events: 0, from: null, to: null };
  for await (const { text, end } of linesOf(path, 0, size)) {
    segment.bytes = end;
    segment.events += 1;
    segment.from ??= timeOf(text);
    segment.to = timeOf(text) ?? segment.to;
  }
  if (segment.bytes < size) await truncate(path, segment.bytes);
  return segment;
}

/** The complete lines between two places of a file, with the place behind each. */
async function* linesOf(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<{ text: string; end: number }> {
  if (start >= end) return;
  const file = await open(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let place = start;
    for (let read = start; read < end; ) {
      const chunk = Buffer.alloc(Math.min(256 * 1024, end - read));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, read);
      if (bytesRead === 0) return;
      read += bytesRead;
      const data =
        rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, bytesRead)]) : chunk.subarray(0, bytesRead);
      let from = 0;
      for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, from)) {
        place += at + 1 - from;
        yield { text: data.toString('utf8', from, at), end: place };
        from = at + 1;
      }
      rest = data.subarray(from);
    }
  } finally {
    await file.close();
  }
}

/** When the event occurred; null for a damaged line. */
function timeOf(text: string): string | null {
  const { event } = Object(parsed(text)) as { event?: { occurred_at?: unknown } };
  return typeof event?.occurred_at === 'string' ? event.occurred_at : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code));
}
