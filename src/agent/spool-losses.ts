import { randomUUID } from 'node:crypto';
import { type Loss, linesOf, readLine } from './spool-lines.ts';

export type DropReason = 'spool_full' | 'too_old' | 'disk_full';

/** Events that were dropped for one reason and not yet reported by an event. */
export interface Dropped extends Loss {
  /** The id of the event that reports them, the same at every attempt. */
  readonly id: string;
  readonly reason: DropReason;
  /** An event with this id may have left, so that nothing more is counted under it. */
  readonly isSealed: boolean;
}

/** The loss in a part of a segment. */
export async function lossIn(path: string, start: number, end: number): Promise<Loss> {
  const losses: Loss[] = [];
  for await (const { text } of linesOf(path, start, end)) losses.push(readLine(text).loss);
  return sumOf(losses);
}

/** The sum of losses, from the first time to the last. */
export function sumOf(losses: readonly Loss[]): Loss {
  const times = losses.flatMap(({ from, to }) => [from, to]).filter(time => time !== null);
  times.sort();
  return {
    count: losses.reduce((sum, { count }) => sum + count, 0),
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
}

/** Adds to what was dropped for that reason since the last report. */
export function withDropped(before: readonly Dropped[], reason: DropReason, loss: Loss): readonly Dropped[] {
  if (loss.count === 0) return before;
  const open = before.find(dropped => dropped.reason === reason && !dropped.isSealed);
  if (!open) return [...before, { id: randomUUID(), reason, isSealed: false, ...loss }];
  return before.map(dropped => (dropped === open ? { ...open, ...sumOf([open, loss]) } : dropped));
}
