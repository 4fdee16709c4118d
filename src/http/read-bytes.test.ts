import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readBytes } from './read-bytes.ts';

it('copies chunks, to release them', async () => {
  const body = new PassThrough();
  const read = readBytes(body, 1_000);
  const pieces = ['a', 'bc', 'def'].map(text => Buffer.from(text));
  for (const piece of pieces) body.write(piece);
  await new Promise(resolve => setImmediate(resolve));
  for (const piece of pieces) piece.fill(0);
  body.end();
  expect(String(await read)).toBe('abcdef');
});

it('rejects immediately beyond the limit, and leaves the stream open', async () => {
  const body = new PassThrough();
  const read = readBytes(body, 3);
  body.write('ab');
  body.write('cd');
  await expect(read).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(body.destroyed).toBe(false);
});

it.each([
  ['ECONNRESET', 'invalid_body'],
  ['HPE_INVALID_CHUNK_SIZE', 'invalid_body'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
])('reports an incomplete body of the client, by %s', async (code, refusal) => {
  const body = new PassThrough();
  const read = readBytes(body, 3);
  body.destroy(Object.assign(new Error('broken off'), { code }));
  await expect(read).rejects.toMatchObject({ name: 'Refusal', code: refusal });
});

it('rejects an incomplete body', async () => {
  const body = new PassThrough();
  const read = readBytes(body, 3);
  body.destroy();
  await expect(read).rejects.toMatchObject({ code: 'invalid_body' });
});
