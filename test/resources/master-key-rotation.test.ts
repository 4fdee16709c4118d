import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyRingOf } from '../../src/resources/credentials/key-files.ts';
import { givenKeyRing, type KeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { rotateMasterKey } from '../../src/resources/credentials/rotate.ts';
import { CredentialVault } from '../../src/resources/credentials/vault.ts';
import { openContent } from '../../src/resources/evidence/content.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { beginTotp, confirmTotp } from '../../src/resources/people/totp.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { totpCode } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

// A rotation concerns a whole installation, so each test has its own.
const services: TestService[] = [];
let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parapet-rotation-'));
});
afterAll(async () => {
  for (const service of services) await service.close();
  await rm(parent, { recursive: true, force: true });
});

async function installation(): Promise<{ service: TestService; sources: AuthorizedSource[]; data: string }> {
  const service = await startService();
  services.push(service);
  const sources = await Promise.all([1, 2, 3].map(() => authorizedSource(service)));
  const data = await mkdtemp(join(parent, 'data-'));
  await (await keyRingOf(data)).makeFirst();
  return { service, sources, data };
}

const operator = { kind: 'operator', id: 'host' } as const;
const passwordOf = (index: number) => `correct horse ${index}`;

function store(ring: KeyRing, { store }: AuthorizedSource, sourceId: string, index: number): Promise<string> {
  const credential = { type: 'basic', username: 'u', password: passwordOf(index) } as const;
  return store.transaction(transaction => new CredentialVault(ring).store(transaction, sourceId, credential));
}

/** Adds sources without a credential to the organization. */
async function moreSources({ store, systemId }: AuthorizedSource, count: number): Promise<string[]> {
  const rows = await store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode, status)
        select $1, 'S', 'website', 'h', 'direct', 'pending' from generate_series(1, $2::int) returning id`,
      values: [systemId, count],
    }),
  );
  return rows.map(row => row.id);
}

const rotate = ({ storage }: TestService, ring: KeyRing, onProgress: (count: number) => void = () => {}) =>
  rotateMasterKey({
    system: storage.system,
    people: storage.people,
    ring,
    tenant: id => storage.tenant(id, operator),
    onProgress,
  });

it('rewraps all records while a process that is unaware of it stores and opens credentials', async () => {
  const { service, sources, data } = await installation();
  const serving = await keyRingOf(data);
  const before = (await serving.current()).id;
  const source = sources[0]!;
  const ids = await moreSources(source, 300);
  await Promise.all(ids.slice(0, 150).map((id, index) => store(serving, source, id, index)));
  let failures = 0;
  const meanwhile = ids.slice(150).map(async (id, index) => {
    await store(serving, source, id, 150 + index);
    const opened = await new CredentialVault(serving).open(source.store, ids[index]!).catch(() => undefined);
    if (!opened || !('password' in opened) || opened.password !== passwordOf(index)) failures += 1;
  });
  const rotation = await rotate(service, await keyRingOf(data));
  await Promise.all(meanwhile);
  expect(failures).toBe(0);
  expect(rotation.rewrapped).toBeGreaterThanOrEqual(150);
  expect(rotation.masterKeyId).not.toBe(before);
  expect(await service.storage.system.masterKeysInUse()).toMatchObject([
    { id: rotation.masterKeyId, records: 300 },
  ]);
  expect(await readdir(data)).toEqual(['master.key']);
  const opened = await Promise.all(ids.map(id => new CredentialVault(serving).open(source.store, id)));
  expect(opened.map(one => one && 'password' in one && one.password)).toEqual(
    ids.map((_, index) => passwordOf(index)),
  );
});

it('continues after an interruption, and every credential can be opened in between', async () => {
  const { service, sources, data } = await installation();
  const ring = await keyRingOf(data);
  const all = await Promise.all(sources.map(source => moreSources(source, 120)));
  const each = sources.flatMap((source, index) => all[index]!.map(id => ({ source, id })));
  await Promise.all(each.map(({ source, id }, index) => store(ring, source, id, index)));
  const interrupted = rotate(service, ring, count => {
    if (count >= 220) throw new Error('the machine went dark');
  });
  await expect(interrupted).rejects.toThrow('the machine went dark');
  expect(await service.storage.system.masterKeysInUse()).toHaveLength(2);
  const openAll = async () => {
    const vault = new CredentialVault(await keyRingOf(data));
    const opened = await Promise.all(each.map(({ source, id }) => vault.open(source.store, id)));
    return opened.map(one => one && 'password' in one && one.password);
  };
  const passwords = each.map((_, index) => passwordOf(index));
  expect(await openAll()).toEqual(passwords);
  const current = (await ring.current()).id;
  const { rewrapped, masterKeyId } = await rotate(service, await keyRingOf(data));
  expect(masterKeyId).toBe(current);
  expect(rewrapped).toBeLessThan(360);
  expect(await service.storage.system.masterKeysInUse()).toMatchObject([{ id: current, records: 360 }]);
  expect(await openAll()).toEqual(passwords);
  const audited = await asOwner(service.database.connection, client =>
    client.query(
      `select sum((detail ->> 'credentials')::int)::int as credentials from audit_entries
        where action = 'credentials.rewrapped'`,
    ),
  );
  expect(audited.rows).toEqual([{ credentials: 360 }]);
});

it('also rewraps evidence and second factors, without decrypting them', async () => {
  const { service, sources, data } = await installation();
  const ring = await keyRingOf(data);
  const { organizationId } = sources[0]!;
  const person = await addPerson(service, organizationId, 'admin', { secondFactor: false });
  const own = service.storage.tenant(organizationId, { kind: 'person', id: person.id });
  const content = randomBytes(600_000);
  const kept = await own.transaction(transaction =>
    storeEvidence(transaction, ring, { kind: 'file', name: 'a.txt', mediaType: 'text/plain', content }),
  );
  const secret = await service.storage.people.transaction(transaction =>
    beginTotp(transaction, ring, person.id),
  );
  const pieces = () => own.queryOnce({ text: 'select ciphertext from evidence_pieces order by number' });
  const before = await pieces();
  expect((await rotate(service, await keyRingOf(data))).rewrapped).toBe(2);
  expect(await readdir(data)).toEqual(['master.key']);
  const { id } = await ring.current();
  expect(await service.storage.system.masterKeysInUse()).toMatchObject([{ id, records: 2 }]);
  expect(await pieces()).toEqual(before);
  const opened = await buffer((await openContent(own, ring, kept.id))!);
  expect(opened.equals(content)).toBe(true);
  const confirmed = await service.storage.people.transaction(async transaction =>
    confirmTotp(transaction, ring, person.id, await totpCode(secret)),
  );
  expect(confirmed).toBe(true);
});

it('moves from one given key to another, and forgets none whose credentials it cannot open', async () => {
  const { service, sources } = await installation();
  const [old, next, lost] = [1, 2, 3].map(() => parseMasterKey(randomBytes(32).toString('base64')));
  const [one, two] = sources as [AuthorizedSource, AuthorizedSource];
  await store(givenKeyRing(old!), one, one.sourceId, 1);
  await store(givenKeyRing(lost!), two, two.sourceId, 2);
  await expect(rotate(service, givenKeyRing(next!, [old!]))).rejects.toThrow(
    `wrapped by master key ${lost!.id}, which this host does not have`,
  );
  await rotate(service, givenKeyRing(next!, [old!, lost!]));
  const vault = new CredentialVault(givenKeyRing(next!));
  expect(await vault.open(one.store, one.sourceId)).toMatchObject({ password: passwordOf(1) });
  expect(await vault.open(two.store, two.sourceId)).toMatchObject({ password: passwordOf(2) });
});

it('runs once at a time', async () => {
  const { service, sources, data } = await installation();
  const ring = await keyRingOf(data);
  await store(ring, sources[0]!, sources[0]!.sourceId, 1);
  const attempts = await Promise.allSettled([1, 2, 3].map(() => rotate(service, ring)));
  const refused = attempts.filter(({ status }) => status === 'rejected');
  for (const attempt of refused) {
    expect((attempt as PromiseRejectedResult).reason.message).toMatch(/Another rotation/);
  }
  expect(refused.length).toBeLessThan(3);
  expect(await service.storage.system.masterKeysInUse()).toMatchObject([
    { id: (await ring.current()).id, records: 1 },
  ]);
});

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>(resolve => {
    give = resolve;
  });
  return { given, give };
}

it('waits for stores that use the old key', async () => {
  const { service, sources, data } = await installation();
  const ring = await keyRingOf(data);
  const source = sources[0]!;
  const taken = signal();
  const go = signal();
  const slow: KeyRing = {
    ...ring,
    current: async () => {
      const key = await ring.current();
      taken.give();
      await go.given;
      return key;
    },
  };
  const storing = store(slow, source, source.sourceId, 7);
  await taken.given;
  let rotated = false;
  const rotating = rotate(service, ring).finally(() => {
    rotated = true;
  });
  await poll('the rotation to wait, or to end', async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query(`select from pg_locks where locktype = 'advisory' and not granted`),
    );
    return rows.length > 0 || rotated || undefined;
  });
  go.give();
  await storing;
  const { masterKeyId } = await rotating;
  expect(await service.storage.system.masterKeysInUse()).toMatchObject([{ id: masterKeyId, records: 1 }]);
  const opened = await new CredentialVault(ring).open(source.store, source.sourceId);
  expect(opened).toMatchObject({ password: passwordOf(7) });
});
