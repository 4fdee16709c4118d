import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeBounded, readBounded } from './body.ts';

const text = Buffer.from('Hello, this is a page. '.repeat(200));
const whole = (bytes: Buffer) => ({ bytes, truncated: false });

it.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
])('decodes %s, and what there is of it when it was cut off', async (coding, bytes) => {
  expect((await decodeBounded(whole(bytes), coding, 100_000)).bytes).toEqual(text);
  const half = await decodeBounded({ bytes: bytes.subarray(0, -10), truncated: true }, coding, 100_000);
  expect(half.truncated).toBe(true);
});

it.each(['identity', '', 'zstd', 'gzip, br', '__proto__', 'constructor'])(
  'leaves %j as it is',
  async coding => {
    expect((await decodeBounded(whole(text), coding, 100_000)).bytes).toEqual(text);
  },
);

it('leaves what is not what it claims as it is', async () => {
  expect((await decodeBounded(whole(text), 'gzip', 100_000)).bytes).toEqual(text);
});

it('keeps what came before an error, and throws when nothing came', async () => {
  async function* broken(first: readonly Buffer[]) {
    yield* first;
    throw new Error('connection lost');
  }
  const some = await readBounded(Readable.from(broken([text])), 100_000, () => {});
  expect(some).toEqual({ bytes: text, truncated: true });
  await expect(readBounded(Readable.from(broken([])), 100, () => {})).rejects.toThrow('connection lost');
});
