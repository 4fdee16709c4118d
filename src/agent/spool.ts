import { type FileHandle, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../domain/sync-path.ts';
import {
  ignoreFullDisk,
  isBehind,
  keepAside,
  type NewEvent,
  nameOf,
  type Position,
  positionIn,
  readSegments,
  readState,
  type Segment,
  type SpooledEvent,
  type SpoolLimits,
  type SpoolStats,
  type State,
  writeState,
} from './spool-files.ts';
import { linesOf, readLine } from './spool-lines.ts';
import { type Dropped, type DropReason, lossIn, sumOf, withDropped } from './spool-losses.ts';

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
  /** When the current segment began, in milliseconds of `performance.now()`. */
  #begunAt = 0;
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
    const segments = await readSegments(folder);
    const first = { segment: segments[0]?.number ?? 1, offset: 0 };
    const state = (await readState(folder)) ?? { position: first, dropped: [], setAside: 0 };
    const { segment, offset } = positionIn(segments, state.position) ?? first;
    const spool = new Spool(folder, limits, segments, { ...state, position: { segment, offset: 0 } });
    await spool.#skipTo({ segment, offset });
    return spool;
  }

  /** Called after each `append` that stored its events. */
  set onAppend(listener: () => void) {
    this.#onAppend = listener;
  }

  /**
   * Stores events durably, in order. Drops the oldest ones to make room. Events that do not fit on the disk are counted
   * as dropped.
   *
   * @throws any other error of the disk: then the first of the events may be stored
   */
  append(events: readonly NewEvent[]): Promise<void> {
    return this.#inTurn(async () => {
      const lost = await this.#store(events);
      await this.#enforceLimits();
      // Otherwise the report of the loss would be tried again and again.
      if (lost.length < events.length) this.#onAppend();
    });
  }

  /** The oldest events, at most this many and with at most this many bytes of JSON; one is returned if it is larger. */
  peek(most: { readonly events: number; readonly bytes: number }): Promise<SpooledEvent[]> {
    return this.#inTurn(async () => {
      const found: SpooledEvent[] = [];
      let bytes = 0;
      for (const segment of this.#segments) {
        if (segment.number < this.#state.position.segment) continue;
        const path = this.#path(segment.number);
        for await (const { text, end } of linesOf(path, this.#startOf(segment), segment.bytes)) {
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
      await keepAside(this.#folder, event.text, reason).catch(ignoreFullDisk);
      this.#state.setAside += 1;
      await this.#save();
    });
  }

  /** What was dropped and is not reported. */
  get dropped(): readonly Dropped[] {
    return this.#state.dropped;
  }

  /** The same, to be reported: what is dropped from now on is counted under other ids. */
  sealDropped(): Promise<readonly Dropped[]> {
    return this.#inTurn(async () => {
      if (this.#state.dropped.every(({ isSealed }) => isSealed)) return this.#state.dropped;
      this.#state.dropped = this.#state.dropped.map(dropped => ({ ...dropped, isSealed: true }));
      await this.#save();
      return this.#state.dropped;
    });
  }

  /** The event with this id, about dropped events, is in the spool. */
  reported(id: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#state.dropped = this.#state.dropped.filter(dropped => dropped.id !== id);
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
    await this.#closeWriter();
  }

  /** Drops events that are older than the limit by a sixteenth of it, or sooner. */
  expire(): Promise<void> {
    return this.#inTurn(() => this.#enforceLimits());
  }

  async #closeWriter(): Promise<void> {
    await this.#writer?.close();
    this.#writer = undefined;
  }

  #path(segment: number): string {
    return join(this.#folder, nameOf(segment));
  }

  /** Bytes of a segment that were acknowledged. */
  #startOf({ number }: Segment): number {
    const { segment, offset } = this.#state.position;
    return segment === number ? offset : 0;
  }

  /** One change at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => {});
    return done;
  }

  /** @returns the events that are lost because the disk is full, also after the oldest segment was dropped */
  async #store(events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    let rest = await this.#write(events);
    if (rest.length > 0 && this.#segments.length > 1) {
      await this.#dropFirst('disk_full');
      rest = await this.#write(rest);
    }
    if (rest.length > 0) {
      const lost = sumOf(rest.map(({ text }) => readLine(text).loss));
      this.#state.dropped = withDropped(this.#state.dropped, 'disk_full', lost);
      await this.#save();
    }
    return rest;
  }

  /** @returns the events that do not fit on the disk */
  async #write(events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    let rest = events;
    try {
      while (rest.length > 0) rest = rest.slice(await this.#writeFirst(rest));
    } catch (error) {
      // What was written of the rest is not complete.
      const last = this.#segments.at(-1);
      if (last) await truncate(this.#path(last.number), last.bytes).catch(() => {});
      ignoreFullDisk(error);
    }
    return rest;
  }

  /** Writes as many events as belong in the current segment. @returns their number */
  async #writeFirst(events: readonly NewEvent[]): Promise<number> {
    const segment = await this.#current();
    const room = Math.max(1, this.#segmentBytes() - segment.bytes);
    let size = 0;
    const lines: string[] = [];
    while (lines.length < events.length && (lines.length === 0 || size < room)) {
      const line = `${events[lines.length]!.text}\n`;
      size += Buffer.byteLength(line);
      lines.push(line);
    }
    await this.#writer!.appendFile(lines.join(''));
    await this.#writer!.datasync();
    segment.bytes += size;
    segment.events += lines.length;
    segment.from ??= events[0]!.occurredAt;
    segment.spooledAt = performance.now();
    return lines.length;
  }

  /** A sixteenth of the limit: what is dropped at once. The same applies to time. */
  #segmentBytes(): number {
    return Math.min(4 * 1024 * 1024, Math.max(64 * 1024, Math.floor(this.#limits.maxBytes / 16)));
  }

  /** The segment for new events, open for writing. */
  async #current(): Promise<Segment> {
    const last = this.#segments.at(-1);
    const isYoung = performance.now() - this.#begunAt < (this.#limits.maxAgeSeconds * 1000) / 16;
    if (this.#writer && last && isYoung && last.bytes < this.#segmentBytes()) return last;
    await this.#closeWriter();
    // The first write after a start begins a new segment, so that a damaged one is never continued.
    const number = Math.max(last?.number ?? 0, this.#state.position.segment - 1) + 1;
    this.#writer = await open(this.#path(number), 'a', 0o600);
    this.#begunAt = performance.now();
    const segment: Segment = { number, bytes: 0, events: 0, from: null, spooledAt: this.#begunAt };
    this.#segments.push(segment);
    await syncPath(this.#folder);
    return segment;
  }

  async #enforceLimits(): Promise<void> {
    while (this.#segments.length > 0) {
      const { events, spooledAt } = this.#segments[0]!;
      const isTooOld = performance.now() - spooledAt > this.#limits.maxAgeSeconds * 1000;
      const isOnly = this.#segments.length === 1;
      if (this.stats().bytes > this.#limits.maxBytes && !isOnly) await this.#dropFirst('spool_full');
      // One without events would keep those behind it.
      else if (isTooOld && (events > 0 || !isOnly)) await this.#dropFirst('too_old');
      else return;
    }
  }

  async #dropFirst(reason: DropReason): Promise<void> {
    const first = this.#segments[0]!;
    const loss = await lossIn(this.#path(first.number), this.#startOf(first), first.bytes);
    this.#state.dropped = withDropped(this.#state.dropped, reason, loss);
    if (this.#segments.length === 1) await this.#closeWriter();
    await this.#skipTo({ segment: first.number + 1, offset: 0 });
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
      return readLine(text).occurredAt;
    return null;
  }

  async #save(): Promise<void> {
    // Without it, the events before the position are sent again, and are duplicates for the service.
    await writeState(this.#folder, this.#state).catch(ignoreFullDisk);
  }
}
