import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

const bounds = { bytes: 100_000, values: 100_000, depth: 10 };

/** Reads until the stream has no more data. */
async function read(
  give: (stream: PassThrough) => void,
  onLine = (_line: string, _stream: PassThrough) => {},
) {
  const stream = new PassThrough({ highWaterMark: 1024 * 1024 });
  const lines: string[] = [];
  let tooMuch = 0;
  readLines(stream, bounds, {
    onLine: line => {
      lines.push(line);
      onLine(line, stream);
    },
    onTooMuch: () => {
      tooMuch += 1;
    },
  });
  give(stream);
  await new Promise(resolve => setImmediate(resolve));
  return { lines, tooMuch };
}

it('returns each line, however it is split', async () => {
  const text = '{"a":"ü"}\n\n[1,2]\nrest';
  for (const size of [1, 2, 3, 100]) {
    const { lines } = await read(stream => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
    });
    expect(lines).toEqual(['{"a":"ü"}', '', '[1,2]']);
  }
});

it('copies pieces, so that their buffers are released', async () => {
  const pieces = ['"a', 'b"'].map(text => Buffer.from(text));
  const { lines } = await read(stream => {
    for (const piece of pieces) stream.write(piece);
    for (const piece of pieces) piece.fill(0);
    stream.write('\n');
  });
  expect(lines).toEqual(['"ab"']);
});

it('stops at the line where the stream is destroyed, however many have arrived', async () => {
  const { lines } = await read(
    stream => stream.write('\n'.repeat(65_536)),
    (_line, stream) => stream.destroy(),
  );
  expect(lines).toHaveLength(1);
});

it('refuses a line in too many pieces, once', async () => {
  const { lines, tooMuch } = await read(stream => {
    for (let count = 0; count < 5_000; count++) stream.write('1');
    stream.write('\n');
  });
  expect([lines, tooMuch]).toEqual([[], 1]);
});
