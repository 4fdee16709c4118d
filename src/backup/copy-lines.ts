import { notABackup } from './manifest.ts';

/**
 * Bytes of a row, which PostgreSQL keeps in memory several times. The longest ones have a request of 256 KiB or a piece of evidence of that
 * size, in hexadecimal.
 */
const longestLine = 64 * 1024 * 1024;

const [newline, backslash] = [10, 92];

/**
 * Passes on the text of COPY. Throws `StorageError` if a row of it is too long.
 *
 * @param table for the error
 */
export async function* boundedLines(
  text: AsyncIterable<Buffer>,
  table: string,
  longest = longestLine,
): AsyncGenerator<Buffer> {
  let length = 0;
  let isEscaped = false;
  for await (const chunk of text) {
    let start = 0;
    while (start < chunk.length) {
      const found = chunk.indexOf(newline, start);
      const end = found === -1 ? chunk.length : found;
      length += end - start;
      if (length > longest) throw notABackup(table);
      const backslashes = countBackslashes(chunk, start, end);
      // The last of an odd number escapes what follows, also a newline.
      isEscaped = (backslashes % 2 === 1) !== (isEscaped && backslashes === end - start);
      if (found !== -1) {
        length = isEscaped ? length + 1 : 0;
        isEscaped = false;
      }
      start = end + 1;
    }
    yield chunk;
  }
}

/** Those before `end`. */
function countBackslashes(chunk: Buffer, start: number, end: number): number {
  let first = end;
  while (first > start && chunk[first - 1] === backslash) first--;
  return end - first;
}
