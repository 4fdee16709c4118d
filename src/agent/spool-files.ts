import { appendFile, readdir, readFile, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf, parsed, readLine } from './spool-lines.ts';
import type { Dropped } from './spool-losses.ts';
import { writeAtomically } from './write-atomically.ts';

// The files of a spool: numbered segments with one event per line, and the state of their reader.

/** A place in the spool. */
export interface Position {
  readonly segment: number;
  /** Bytes from the start of the segment. */
  readonly offset: number;
}

/** An event as it waits in the spool. */
export interface SpooledEvent {
  /** JSON with the event in the field `event`, and when it was put into the spool in `spooledAt`. */
  readonly text: string;
  /** Place behind the event: `acknowledge` takes it. */
  readonly next: Position;
}

/** An event for the spool. */
export interface NewEvent {
  /** As in `SpooledEvent`, without line breaks. */
  readonly text: string;
  readonly occurredAt: string;
}

export interface SpoolLimits {
  readonly maxBytes: number;
  /**
   * Since an event was put into the spool, by this machine's clock: its own times are the service's. Events that are put there within a
   * sixteenth of it are dropped together, when the last one is too old.
   */
  readonly maxAgeSeconds: number;
}

export interface SpoolStats {
  readonly events: number;
  readonly bytes: number;
  /** Time of occurrence of the oldest event; null if the spool is empty. */
  readonly oldestAt: string | null;
  /** Events that the service refused. */
  readonly setAside: number;
}

/** What is known of a segment file without reading it again. */
export interface Segment {
  readonly number: number;
  bytes: number;
  events: number;
  /** When the first event occurred. */
  from: string | null;
  /** When the last event was put into the spool, in milliseconds of `performance.now()`: negative before this start. */
  spooledAt: number;
}

/** Everything that is not in the segments. */
export interface State {
  position: Position;
  dropped: readonly Dropped[];
  setAside: number;
}

const segmentName = /^events-(\d{12})\.jsonl$/;
/** The name of a segment's file. */
export const nameOf = (number: number) => `events-${String(number).padStart(12, '0')}.jsonl`;
/** Undefined if the file is missing or damaged. */
export async function readState(folder: string): Promise<State | undefined> {
  try {
    const state = JSON.parse(await readFile(join(folder, 'spool.json'), 'utf8')) as State;
    const { position, dropped, setAside } = state;
    const isFine =
      [position.segment, position.offset, setAside].every(isCount) &&
      dropped.every(({ count, id }) => isCount(count) && count > 0 && typeof id === 'string');
    return isFine ? state : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The position, if it can be one among these segments: another file could hide events that were never sent. */
export function positionIn(
  segments: readonly Segment[],
  { segment, offset }: Position,
): Position | undefined {
  const [first, last] = [segments[0]?.number ?? segment, segments.at(-1)?.number ?? segment];
  if (segment < first || segment > last + 1) return undefined;
  const bytes = segments.find(({ number }) => number === segment)?.bytes ?? 0;
  return { segment, offset: Math.min(offset, bytes) };
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
  const { size, mtimeMs } = await stat(path);
  const segment: Segment = { number, bytes: 0, events: 0, from: null, spooledAt: 0 };
  // Of damaged lines, only the time of the file is known.
  let spooledAt = mtimeMs;
  for await (const { text, end } of linesOf(path, 0, size)) {
    const line = readLine(text);
    segment.bytes = end;
    segment.events += 1;
    segment.from ??= line.occurredAt;
    spooledAt = line.spooledAt ?? spooledAt;
  }
  segment.spooledAt = performance.now() - ageOf(spooledAt);
  if (segment.bytes < size) await truncate(path, segment.bytes);
  return segment;
}

/** Before this time, and in the future, the clock was wrong. */
const earliest = Date.UTC(2020, 0);

/** Milliseconds since a time by this machine's clock; 0 if the clock cannot have been right then or is not now. */
function ageOf(time: number): number {
  return time < earliest ? 0 : Math.max(0, Date.now() - time);
}

/** Whether a place comes before another. */
export function isBehind(one: Position, other: Position): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset);
}

/** Rethrows any other error. */
export function ignoreFullDisk(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(code))) throw error;
}
