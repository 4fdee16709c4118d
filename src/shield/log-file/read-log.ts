import { type LogPiece, LogReader, nothing } from './log-reader.ts';

/**
 * The lines that a log has at the beginning: it ends also if the log grows faster than it is read.
 *
 * @param onUnreadable called if it cannot be read
 */
export async function* readLog(
  path: string,
  onUnreadable?: (error: Error) => void,
): AsyncGenerator<LogPiece, void> {
  let reader: LogReader | undefined;
  try {
    reader = await LogReader.fromStart(path);
    const end = (await reader?.size()) ?? 0;
    let piece = await reader?.next(end);
    if (piece === undefined) yield { ...nothing, position: null };
    for (; reader !== undefined && piece !== undefined; piece = await reader.next(end)) {
      yield piece;
      if (piece.bytes === 0) return;
    }
  } catch (error) {
    onUnreadable?.(error as Error);
    yield { ...nothing, position: null };
  } finally {
    await reader?.close();
  }
}
