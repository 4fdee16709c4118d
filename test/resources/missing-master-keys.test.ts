import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyRingOf } from '../../src/resources/credentials/key-files.ts';
import { givenKeyRing, type KeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { settleMasterKeys } from '../../src/resources/credentials/missing-keys.ts';
import { rotateMasterKey } from '../../src/resources/credentials/rotate.ts';
import { CredentialLost, CredentialVault } from '../../src/resources/credentials/vault.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { beginTotp } from '../../src/resources/people/totp.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { addPerson } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

// Keys belong to a whole installation, so each test has its own.
const services: TestService[] = [];
let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parapet-missing-'));
});
afterAll(async () => {
  for (const service of services) await service.close();
  await rm(parent, { recursive: true, force: true });
});

async function installation(): Promise<{ service: TestService; source: AuthorizedSource }> {
  const service = await startService();
  services.push(service);
  return { service, source: await authorizedSource(service) };
}

const operator = { kind: 'operator', id: 'host' } as const;
const newKey = () => parseMasterKey(randomBytes(32).toString('base64'));

const settle = ({ storage }: TestService, ring: KeyRing) =>
  settleMasterKeys({ system: storage.system, ring, tenant: id => storage.tenant(id, operator) });

const rotate = ({ storage }: TestService, ring: KeyRing) =>
  rotateMasterKey({
    system: storage.system,
    people: storage.people,
    ring,
    tenant: id => storage.tenant(id, operator),
    onProgress: () => {},
  });

function storeCredential(ring: KeyRing, { store, sourceId }: AuthorizedSource): Promise<string> {
  const credential = { type: 'basic', username: 'u', password: 'p' } as const;
  return store.transaction(transaction => new CredentialVault(ring).store(transaction, sourceId, credential));
}

/** A record of each kind. */
async function storeAll(service: TestService, ring: KeyRing, source: AuthorizedSource): Promise<void> {
  await storeCredential(ring, source);
  const { storage } = service;
  const person = await addPerson(service, source.organizationId, 'admin', { secondFactor: false });
  const file = { kind: 'file', name: 'a.txt', mediaType: 'text/plain', content: Buffer.from('a') } as const;
  await storage
    .tenant(source.organizationId, { kind: 'person', id: person.id })
    .transaction(transaction => storeEvidence(transaction, ring, file));
  await storage.people.transaction(transaction => beginTotp(transaction, ring, person.id));
}

it('creates no key while a record of any kind needs a missing one', async () => {
  const { service, source } = await installation();
  const data = await mkdtemp(join(parent, 'data-'));
  const ring = await keyRingOf(data);
  await settle(service, ring);
  const { id } = await ring.current();
  await storeAll(service, ring, source);
  await settle(service, ring);
  await unlink(join(data, 'master.key'));
  await expect(settle(service, await keyRingOf(data))).rejects.toThrow(
    `under a master key that is missing: ${id} (authenticator apps: 1, credentials of sources: 1, evidence files: 1). Restore ${data}/master.key from a backup`,
  );
  await expect(storeCredential(ring, source)).rejects.toThrow('master.key is missing');
  expect(await readdir(data)).toEqual([]);
});

it('refuses a given key that the records do not use, and accepts both during a rotation, on every node', async () => {
  const { service, source } = await installation();
  const other = await authorizedSource(service);
  const [old, next] = [newKey(), newKey()];
  await settle(service, givenKeyRing(old));
  await storeCredential(givenKeyRing(old), source);
  await expect(settle(service, givenKeyRing(next))).rejects.toThrow(
    `missing: ${old.id} (credentials of sources: 1). Set PARAPET_MASTER_KEY to the missing key, or add it`,
  );
  // Nodes change their keys one after the other, while each stores records.
  const nodes = [givenKeyRing(old, [next]), givenKeyRing(next, [old])] as const;
  for (const node of nodes) await settle(service, node);
  await storeCredential(nodes[1], other);
  for (const node of nodes) await settle(service, node);
  for (const alone of [old, next]) {
    const missing = alone === old ? next : old;
    await expect(settle(service, givenKeyRing(alone))).rejects.toThrow(`missing: ${missing.id} (`);
  }
  await rotate(service, nodes[1]);
  await settle(service, givenKeyRing(next));
});

it('is not misled by a rotation that finishes during the comparison', async () => {
  const { service, source } = await installation();
  const data = await mkdtemp(join(parent, 'data-'));
  const ring = await keyRingOf(data);
  await settle(service, ring);
  await storeCredential(ring, source);
  let isRotated = false;
  const raced: KeyRing = {
    ...ring,
    find: async id => {
      if (!isRotated) await rotate(service, await keyRingOf(data));
      isRotated = true;
      return ring.find(id);
    },
  };
  await settle(service, raced);
  expect(isRotated).toBe(true);
});

it('continues without a key that is declared lost, records that once, and leaves its records unchanged', async () => {
  const { service, source } = await installation();
  const kept = await authorizedSource(service);
  const [lost, next] = [newKey(), newKey()];
  await storeAll(service, givenKeyRing(lost), source);
  const ring = givenKeyRing(next, [], [lost.id]);
  expect(await settle(service, ring)).toMatchObject([{ id: lost.id, records: 3 }]);
  await settle(service, ring);
  await storeCredential(ring, kept);
  const entries = (from: AuthorizedSource) =>
    from.store.queryOnce({
      text: `select actor_kind, object_id from audit_entries where action = 'master_key.lost'`,
    });
  expect(await entries(source)).toEqual([{ actor_kind: 'operator', object_id: lost.id }]);
  expect(await entries(kept)).toEqual([]);
  expect((await rotate(service, ring)).rewrapped).toBe(0);
  expect(await service.storage.system.masterKeysInUse()).toMatchObject(
    [
      { id: lost.id, records: 3 },
      { id: next.id, records: 1 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const open = (keys: KeyRing) => new CredentialVault(keys).open(source.store, source.sourceId);
  await expect(open(ring)).rejects.toThrow(CredentialLost);
  await expect(open(givenKeyRing(next, [])), 'missing, and not declared').rejects.toThrow(
    `wrapped by master key ${lost.id}, which is missing`,
  );
  // The key was found after all, and is used although it was declared lost.
  const found = givenKeyRing(next, [lost], [lost.id]);
  expect((await rotate(service, found)).rewrapped).toBe(3);
});
