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
])('decodes %s, and what there is of it when it was cut off', async (coding, bytes) => {
  const codings = coding.split(',');
  expect((await decodeBounded(whole(bytes), codings, 100_000))?.bytes).toEqual(text);
  const half = await decodeBounded({ bytes: bytes.subarray(0, -10), truncated: true }, codings, 100_000);
  // Of a body of one block there may be nothing before its end.
  expect(half === null || half.truncated).toBe(true);
  expect(await decodeBounded(whole(bytes), codings, 100)).toMatchObject({ truncated: true });
});

it.each([[[]], [['identity']], [['']]])('leaves %j as it is', async codings => {
  expect((await decodeBounded(whole(text), codings, 100_000))?.bytes).toEqual(text);
});

it.each([
  ['a coding that it does not know', text, ['zstd']],
  ['a name that is no coding', text, ['__proto__']],
  ['one that it does not know below one that it does', gzipSync(text), ['zstd', 'gzip']],
  ['what is not what it claims', text, ['gzip']],
  ['what never comes to its content', gzipSync(text).subarray(0, 10), ['gzip']],
  ['four codings', text, ['br', 'br', 'br', 'br']],
])('does not take %s for a body', async (_, bytes, codings) => {
  expect(await decodeBounded(whole(bytes), codings, 100_000)).toBeNull();
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
