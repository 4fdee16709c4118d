import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operate, parapet } from '../support/parapet-process.ts';
import { copyFolder } from '../support/postgres.ts';
import { DataFolders, serverPid } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

const folders = new DataFolders();
let data: string;
let copy: string;
let production: ServingProcess;
let organization: string;
let key: ClientKey;

beforeAll(async () => {
  data = await folders.made();
  copy = `${data}-copy`;
  production = await ServingProcess.serve({ PARAPET_DATA: data, PARAPET_MANAGEMENT_PORT: 'off' });
  organization = (await operateIn(data, 'organizations', 'create', '--name', 'Production')).id;
  key = await operateIn(data, 'keys', 'mint', '--organization', organization);
  await copyFolder(data, copy);
});
afterAll(async () => {
  await production?.kill('SIGTERM');
  await folders.remove();
});

const operateIn = (folder: string, ...parameters: string[]) =>
  operate({ PARAPET_DATA: folder }, ...parameters);

const namesIn = async (folder: string): Promise<string[]> =>
  (await operateIn(folder, 'organizations', 'list')).organizations.map(({ name }: { name: string }) => name);

it('makes every command on a copy use the database of the copy, beside the running service', async () => {
  await operateIn(copy, 'organizations', 'create', '--name', 'Rehearsal');
  expect(await namesIn(copy)).toEqual(['Production', 'Rehearsal']);
  expect(await namesIn(data)).toEqual(['Production']);

  const { PATH } = process.env;
  await parapet(['keys', 'revoke', key.token_id, '--data', copy], { PATH });
  const keysIn = async (folder: string) =>
    (await operateIn(folder, 'keys', 'list', '--organization', organization)).keys;
  expect(await keysIn(copy)).toMatchObject([{ token_id: key.token_id, status: 'revoked' }]);
  expect(await keysIn(data)).toMatchObject([{ token_id: key.token_id, status: 'active' }]);
  expect((await call(production.url, key, 'GET', '/api/v1/systems')).status).toBe(200);

  await operateIn(copy, 'people', 'invite', '--organization', organization, '--email', 'ada@example.org');
  const headOf = async (folder: string) =>
    (await operateIn(folder, 'doctor')).audit_heads.find(
      (head: { organization_id: string }) => head.organization_id === organization,
    ).sequence;
  const [ofCopy, ofOriginal] = [await headOf(copy), await headOf(data)];
  expect(ofCopy).toBe(ofOriginal + 2);
});

it('serves a copy beside the original, each with its own data', async () => {
  const server = await serverPid(data);
  const rehearsal = await ServingProcess.serve({ PARAPET_DATA: copy, PARAPET_MANAGEMENT_PORT: 'off' });
  expect(await serverPid(copy)).not.toBe(server);
  expect((await call(rehearsal.url, key, 'GET', '/api/v1/systems')).status).toBe(401);
  expect(await rehearsal.kill('SIGTERM')).toBe(0);
  expect(await serverPid(data)).toBe(server);
  expect((await call(production.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
});

it('refuses in one line, with status 1, if it cannot determine the owner of the database', async () => {
  const cluster = join(data, 'postgres/cluster-18');
  const { PATH } = process.env;
  await rename(cluster, `${cluster}-aside`);
  try {
    await copyFolder(`${cluster}-aside`, cluster);
    for (const command of [['serve', '--port', '0'], ['doctor'], ['organizations', 'list'], ['migrate']]) {
      const { status, errors } = await parapet([...command, '--data', data], { PATH });
      expect(status).toBe(1);
      expect(errors).toMatch(/^parapet: the server that runs for .* stop every Parapet .*\n$/);
    }
  } finally {
    await rm(cluster, { recursive: true });
    await rename(`${cluster}-aside`, cluster);
  }
  expect((await call(production.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
});
