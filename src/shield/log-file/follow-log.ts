import { sleep } from '../../agent/sleep.ts';
import { type LogPiece, LogReader, nothing } from './log-reader.ts';
import type { LogPosition } from './position.ts';

export interface FollowOptions {
  /** Where reading stopped; null to begin with the file's first line. */
  readonly position: LogPosition | null;
  readonly signal: AbortSignal;
  /** How often the file is checked for more. */
  readonly pollMilliseconds?: number;
  /** How long a file may still grow after it was replaced: servers write to the old one until they reopen it. */
  readonly lingerMilliseconds?: number;
  /** How long there may be no file during a rotation. */
  readonly goneMilliseconds?: number;
  /** Called when the log cannot be read, once until it can. */
  readonly onUnreadable?: (error: Error) => void;
}

/**
 * Follows a log file: yields its lines, and at its end an empty piece per second. It reads on only when the consumer takes the next piece.
 *
 * The file is polled: events of file systems are lost in containers and on network file systems, and say nothing that a `stat` does not.
 *
 * - Renamed: the rest of the old file is read until it has stopped growing, then the new one.
 * - Truncated: what was not read before is read from the copy that the rotation made, then the file from its start. What was written
 *   between copying and truncating is lost, as `copytruncate` always does.
 * - Restarted: reading continues at the position, in whichever file it is now, and then with the log itself: after two rotations, the
 *   files between are not read. If the file is gone, the log is read from its start.
 * - Unreadable, for example because of its mode: reading continues at the position as soon as it is possible.
 */
export async function* followLog(path: string, options: FollowOptions): AsyncGenerator<LogPiece, void> {
  const { signal, pollMilliseconds = 1_000, lingerMilliseconds = 5_000, onUnreadable } = options;
  const { goneMilliseconds = 60_000 } = options;
  let { position } = options;
  // Not after the end of a file: nothing is left to read.
  let continues = position !== null;
  let isReadable = true;
  let reader: LogReader | undefined;
  let activeAt = 0;
  let goneAt: number | undefined;
  try {
    while (!signal.aborted) {
      let piece: Awaited<ReturnType<LogReader['next']>>;
      try {
        if (continues && position !== null) reader ??= await LogReader.at(path, position);
        reader ??= await LogReader.fromStart(path);
        piece = await reader?.next();
        isReadable = true;
      } catch (error) {
        if (isReadable) onUnreadable?.(error as Error);
        isReadable = false;
        await reader?.close();
        reader = undefined;
        yield { ...nothing, position };
        await sleep(pollMilliseconds, signal);
        continue;
      }
      continues = reader !== undefined;
      if (reader !== undefined && piece === undefined) {
        // The rest may be in a copy.
        position = reader.position;
        await reader.close();
        reader = undefined;
        continue;
      }
      position = piece?.position ?? null;
      const isGone = goneAt !== undefined && performance.now() - goneAt >= goneMilliseconds;
      yield piece ? { ...piece, isMissing: isGone } : { ...nothing, position };
      const now = performance.now();
      if (piece !== undefined && piece.bytes > 0) {
        activeAt = now;
        continue;
      }
      const found = await reader?.fileAt(path);
      goneAt = found === 'none' ? (goneAt ?? now) : undefined;
      if (reader !== undefined && found === 'other') {
        reader.replacedAt ??= now;
        const quiet = now - Math.max(reader.replacedAt, activeAt);
        if (reader.isCopy || quiet >= lingerMilliseconds) {
          const end = reader.end();
          position = end.position;
          continues = false;
          yield end;
          await reader.close();
          reader = undefined;
          continue;
        }
      }
      await sleep(pollMilliseconds, signal);
    }
  } finally {
    await reader?.close();
  }
}
