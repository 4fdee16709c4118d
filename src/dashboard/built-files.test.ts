import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
import { BuiltFiles } from './built-files.ts';

it('answers from memory, and reads the folder again after another build', async () => {
  const folder = `${await mkdtemp(join(tmpdir(), 'built-test-'))}/`;
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(`${folder}a.js`, 'plain');
  await writeFile(`${folder}a.js.br`, 'small');
  const files = new BuiltFiles(folder);
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Refusal && error.code === 'not_found' ? 404 : 500).send(),
  );
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) =>
    files.send(request, reply, request.params['*'], 'no-store'),
  );
  const get = async (name: string, encoding = '') => {
    const headers = { 'accept-encoding': encoding };
    const { statusCode, body } = await app.inject({ url: `/${name}`, headers });
    return statusCode === 200 ? body : statusCode;
  };
  expect([await get('a.js'), await get('a.js', 'gzip, br'), await get('a.js', 'br;q=0')]).toEqual([
    'plain',
    'small',
    'plain',
  ]);
  expect([await get('a.js.br'), await get('b.js'), await get('..%2fa.js')]).toEqual([404, 404, 404]);
  await rm(`${folder}a.js`);
  await writeFile(`${folder}b.js`, 'later');
  expect([await get('a.js'), await get('b.js')], 'the disk is not read').toEqual(['plain', 404]);
  files.forget();
  expect([await get('a.js'), await get('b.js')]).toEqual([404, 'later']);
});
