import { randomUUID } from 'node:crypto';
import { appendFile, open, readdir, readFile, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './write-atomically.ts';

// The files of a spool: numbered segments with one event per line, and the state of their reader.

/** A place in the spool. */
export interface Position {
  readonly segment: number;
  /** Bytes from the start of the segment. */
  readonly offset: number;
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

/** What is known of a segment file without reading it again. */
export interface Segment {
  readonly number: number;
  bytes: number;
  events: number;
  /** Times of occurrence of the first and last event. */
  from: string | null;
  to: string | null;
}

/** Everything that is not in the segments. */
export interface State {
  position: Position;
  dropped: Dropped | null;
  setAside: number;
}

const segmentName = /^events-(\d{12})\.jsonl$/;
/** The name of a segment's file. */
export const nameOf = (number: number) => `events-${String(number).padStart(12, '0')}.jsonl`;
/** Undefined if the file is missing or damaged. */
export async function readState(folder: string): Promise<State | undefined> {
  try {
    const state = JSON.parse(await readFile(join(folder, 'spool.json'), 'utf8')) as State;
    return Number.isInteger(state.position?.segment) && Number.isInteger(state.position.offset)
      ? state
      : undefined;
  } catch {
    return undefined;
  }
}

export function writeState(folder: string, state: State): Promise<void> {
  return writeAtomically(join(folder, 'spool.json'), JSON.stringify(state));
}

/** Bytes of refused events that are kept with their reasons, in each of two files. */
const asideBytes = 1024 * 1024;

/** Appends a refused event to a file that nothing reads but people. */
export async function keepAside(folder: string, text: string, reason: string): Promise<void> {
  const path = join(folder, 'set-aside.jsonl');
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > asideBytes) await rename(path, `${path}.1`);
  const value = parsed(text);
  const kept = typeof value === 'object' ? value : { text };
  await appendFile(path, `${JSON.stringify({ reason, ...kept })}\n`, { mode: 0o600 });
}

/** All segments, in order. */
export async function readSegments(folder: string): Promise<Segment[]> {
  const names = (await readdir(folder)).sort();
  const segments: Segment[] = [];
  for (const name of names) {
    const number = Number(segmentName.exec(name)?.[1]);
    if (number > 0) segments.push(await readSegment(folder, number));
  }
  return segments;
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
export async function* linesOf(
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
export function timeOf(text: string): string | null {
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

/** Whether a place comes before another. */
export function isBehind(one: Position, other: Position): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset);
}

/** Rethrows any other error. */
export function ignoreFullDisk(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code));
}

/** Adds to what was dropped since the last report, which keeps its id. */
export function withDropped(
  before: Dropped | null,
  reason: DropReason,
  { count, from, to }: Pick<Dropped, 'count' | 'from' | 'to'>,
): Dropped | null {
  if (count === 0) return before;
  if (!before) return { id: randomUUID(), reason, count, from, to };
  return { ...before, count: before.count + count, from: before.from ?? from, to };
}
