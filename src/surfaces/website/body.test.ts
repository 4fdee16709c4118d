import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeBounded, readBounded } from './body.ts';

const text = Buffer.from('Hello, this is a page. '.repeat(200));
const whole = (bytes: Buffer) => ({ bytes, truncated: false });

it.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['GZIP', Buffer.concat([gzipSync(text.subarray(0, 99)), gzipSync(text.subarray(99))])],
  ['identity, gzip', gzipSync(text)],
  ['br, br', brotliCompressSync(brotliCompressSync(text))],
  ['deflate, br, gzip', gzipSync(brotliCompressSync(deflateSync(text)))],
  ['br', brotliCompressSync(text)],
])('decodes %s, and the beginning if it was truncated', async (coding, bytes) => {
  const codings = coding.split(',');
  expect((await decodeBounded(whole(bytes), codings, 100_000))?.bytes).toEqual(text);
  const half = await decodeBounded({ bytes: bytes.subarray(0, -10), truncated: true }, codings, 100_000);
  // The decoder may return nothing of a single block before its end.
  expect(half === null || half.truncated).toBe(true);
  expect(await decodeBounded(whole(bytes), codings, 100)).toMatchObject({ truncated: true });
});

it.each([[[]], [['identity']], [['']]])('leaves %j as it is', async codings => {
  expect((await decodeBounded(whole(text), codings, 100_000))?.bytes).toEqual(text);
});

it.each([
  ['an unknown coding', text, ['zstd']],
  ['the name of an object property', text, ['__proto__']],
  ['an unknown coding below a known one', gzipSync(text), ['zstd', 'gzip']],
  ['a body that is not in its coding', text, ['gzip']],
  ['a stream that ends before its content', gzipSync(text).subarray(0, 10), ['gzip']],
  ['four codings', text, ['br', 'br', 'br', 'br']],
])('does not decode %s', async (_, bytes, codings) => {
  expect(await decodeBounded(whole(bytes), codings, 100_000)).toBeNull();
});

it('keeps bytes from before an error, and throws if there are none', async () => {
  async function* broken(first: readonly Buffer[]) {
    yield* first;
    throw new Error('connection lost');
  }
  const some = await readBounded(Readable.from(broken([text])), 100_000, () => {});
  expect(some).toEqual({ bytes: text, truncated: true });
  await expect(readBounded(Readable.from(broken([])), 100, () => {})).rejects.toThrow('connection lost');
});
