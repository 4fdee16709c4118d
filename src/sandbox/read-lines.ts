import type { Readable } from 'node:stream';

/**
 * Calls `onLine` with each line of a stream, without its end. A line of more bytes than `longest` is not kept: `onTooLong`
 * is called, and nothing after it.
 */
export function readLines(
  stream: Readable,
  longest: number,
  { onLine, onTooLong }: { onLine(line: string): void; onTooLong(): void },
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let over = false;
  const add = (chunk: Buffer) => {
    size += chunk.length;
    if (size > longest) over = true;
    else chunks.push(chunk);
  };
  stream.on('data', (data: Buffer) => {
    let start = 0;
    while (!over) {
      const end = data.indexOf(0x0a, start);
      add(data.subarray(start, end === -1 ? undefined : end));
      if (end === -1 || over) break;
      const line = Buffer.concat(chunks, size).toString('utf8');
      chunks = [];
      size = 0;
      start = end + 1;
      onLine(line);
    }
    if (!over) return;
    chunks = [];
    stream.removeAllListeners('data').resume();
    onTooLong();
  });
}
