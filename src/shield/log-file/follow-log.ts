import { setTimeout as pause } from 'node:timers/promises';
import { type LogPiece, LogReader } from './log-reader.ts';
import type { LogPosition } from './position.ts';

export interface FollowOptions {
  /** Where reading stopped; null to begin with the file's first line. */
  readonly position: LogPosition | null;
  readonly signal: AbortSignal;
  /** How often the file is checked for more. */
  readonly pollMilliseconds?: number;
  /** How long a file may still grow after it was replaced: servers write to the old one until they reopen it. */
  readonly lingerMilliseconds?: number;
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
 */
export async function* followLog(path: string, options: FollowOptions): AsyncGenerator<LogPiece, void> {
  const { signal, pollMilliseconds = 1_000, lingerMilliseconds = 5_000 } = options;
  let reader = options.position === null ? undefined : await LogReader.at(path, options.position);
  let activeAt = 0;
  try {
    while (!signal.aborted) {
      reader ??= await LogReader.fromStart(path);
      const piece = await reader?.next();
      if (reader !== undefined && piece === undefined) {
        const copy = await LogReader.at(path, reader.position);
        await reader.close();
        reader = copy;
        continue;
      }
      yield piece ?? { lines: [], tooLong: 0, position: null, lag: 0 };
      const now = performance.now();
      if (piece !== undefined && piece.bytes > 0) {
        activeAt = now;
        continue;
      }
      if (reader !== undefined && (await reader.isReplaced(path))) {
        reader.replacedAt ??= now;
        const quiet = now - Math.max(reader.replacedAt, activeAt);
        if (reader.isCopy || quiet >= lingerMilliseconds) {
          yield reader.end();
          await reader.close();
          reader = undefined;
          continue;
        }
      }
      await pause(pollMilliseconds, undefined, { signal }).catch(() => {});
    }
  } finally {
    await reader?.close();
  }
}
