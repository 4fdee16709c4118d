import type { Readable } from 'node:stream';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { JsonMeter, type LineBounds } from '../bytes/json-meter.ts';
import { PieceMeter } from '../bytes/piece-meter.ts';

/**
 * Calls `onLine` with each line of a stream, without its line break, until the stream is destroyed. For a line of JSON
 * that exceeds the bounds, or arrives in too many pieces, it calls `onTooMuch` and then nothing more.
 */
export function readLines(
  stream: Readable,
  bounds: LineBounds,
  { onLine, onTooMuch }: { onLine(line: string): void; onTooMuch(): void },
): void {
  let line = new GrowingBuffer();
  let json = new JsonMeter(bounds);
  let pieces = new PieceMeter();
  const giveUp = () => {
    line = new GrowingBuffer();
    stream.removeAllListeners('data').resume();
    onTooMuch();
  };
  stream.on('data', (data: Buffer) => {
    let start = 0;
    // `onLine` may destroy the stream. The rest of the block may contain thousands of lines.
    while (!stream.destroyed) {
      const end = data.indexOf(0x0a, start);
      const piece = data.subarray(start, end === -1 ? undefined : end);
      if (!json.take(piece) || !pieces.take(piece.length)) return giveUp();
      line.append(piece);
      if (end === -1) return;
      const text = line.bytes.toString('utf8');
      line = new GrowingBuffer();
      json = new JsonMeter(bounds);
      pieces = new PieceMeter();
      start = end + 1;
      onLine(text);
    }
  });
}
