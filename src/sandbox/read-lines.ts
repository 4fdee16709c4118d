import type { Readable } from 'node:stream';
import { JsonMeter, type LineBounds } from './json-meter.ts';

/**
 * Calls `onLine` with each line of a stream, without its end. A line of JSON beyond the bounds is not kept: `onTooMuch`
 * is called, and nothing after it.
 */
export function readLines(
  stream: Readable,
  bounds: LineBounds,
  { onLine, onTooMuch }: { onLine(line: string): void; onTooMuch(): void },
): void {
  let chunks: Buffer[] = [];
  let meter = new JsonMeter(bounds);
  let over = false;
  const add = (chunk: Buffer) => {
    if (meter.take(chunk)) chunks.push(chunk);
    else over = true;
  };
  stream.on('data', (data: Buffer) => {
    let start = 0;
    while (!over) {
      const end = data.indexOf(0x0a, start);
      add(data.subarray(start, end === -1 ? undefined : end));
      if (end === -1 || over) break;
      const line = Buffer.concat(chunks, meter.bytes).toString('utf8');
      chunks = [];
      meter = new JsonMeter(bounds);
      start = end + 1;
      onLine(line);
    }
    if (!over) return;
    chunks = [];
    stream.removeAllListeners('data').resume();
    onTooMuch();
  });
}
