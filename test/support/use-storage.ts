import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { countEvents } from '../../src/resources/events/event-counts.ts';
import { listEventRows } from '../../src/resources/events/event-list.ts';
import { Storage } from '../../src/resources/storage.ts';
import { createSystem, listSystems } from '../../src/resources/systems/systems.ts';
import { eventRow, storeEvents } from './events.ts';

const operator = { kind: 'operator', id: 'test' } as const;

/** Migrates, stores, lists, counts and sweeps, with nothing visible to another organization. */
export async function useStorage(connection: ConnectionSettings): Promise<void> {
  const { roles, applied } = await migrate(connection);
  expect(applied.length).toBeGreaterThan(0);
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  const storage = new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
  await storage.start();
  const one = await storage.system.createOrganization('One', operator);
  const two = await storage.system.createOrganization('Two', operator);
  const store = storage.tenant(one.id, operator);
  const systemId = await store.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'A', environment: 'test', kind: 'api' });
    await transaction.enqueue('scan-plan', [{ scanId: one.id }]);
    return system.id;
  });
  const row = eventRow();
  const stream = { organizationId: one.id, systemId };
  expect(await storeEvents(storage.events, stream, [row, eventRow()])).toBe(2);
  await storage.sweep();
  expect(await storeEvents(storage.events, stream, [row, eventRow({ kind: 'other.kind' })])).toBe(1);
  expect((await listEventRows(store, { kind: 'a.kind' })).events).toHaveLength(2);
  expect((await countEvents(store, {})).kinds).toEqual([
    { kind: 'a.kind', count: 2 },
    { kind: 'other.kind', count: 1 },
  ]);
  expect((await listEventRows(storage.tenant(two.id, operator), {})).events).toEqual([]);
  expect((await listSystems(store, {})).rows).toHaveLength(1);
  expect((await listSystems(storage.tenant(two.id, operator), {})).rows).toEqual([]);
  expect(await storage.system.brokenAuditChains()).toEqual([]);
  expect((await migrate(connection)).applied).toEqual([]);
  await storage.close(0);
}
