import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditStatement } from '../../src/database/audit.ts';
import { settleAuditLog, verifyAuditChain } from '../../src/database/audit-chain.ts';
import type { TenantTransaction } from '../../src/database/tenant-store.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { dueTurn } from '../support/due-turn.ts';
import { asOwner, pastTriggers } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
});
afterAll(() => service?.close());

const actor = { kind: 'service', id: 'test' } as const;
const asAdministrator = (sql: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(sql, values));
const tamper = (sql: string) => pastTriggers(service.database.connection, client => client.query(sql));
const brokenChains = () => service.storage.system.brokenAuditChains();
const brokenIn = async (organizationId: string) =>
  (await brokenChains())
    .filter(entry => entry.organization_id === organizationId)
    .map(({ sequence, problem }) => ({ sequence, problem }));

it('records every action in order, with a valid chain', async () => {
  const { rows } = await asAdministrator(
    'select sequence, actor_kind, action from audit_entries where organization_id = $1 order by sequence',
    [fixture.organizationId],
  );
  expect(rows.map(row => `${row.sequence} ${row.actor_kind} ${row.action}`)).toEqual([
    '1 operator organization.created',
    '2 operator key.minted',
    '3 key system.created',
    '4 key source.created',
    '5 key source.risk_accepted',
    '6 key source.scan_authorized',
    '7 key scan.requested',
  ]);
  expect(await brokenChains()).toEqual([]);
});

it('commits together with the change that it records', async () => {
  const store = service.storage.tenant(fixture.organizationId, actor);
  const count = async () => (await store.queryOnce({ text: 'select count(*) from audit_entries' }))[0];
  const before = await count();
  const failing = store.transaction(async transaction => {
    await createSystem(transaction, { name: 'Lost', environment: 'test', kind: 'api' });
    throw new Error('after the entry');
  });
  await expect(failing).rejects.toThrow('after the entry');
  expect(await count()).toEqual(before);
  expect(await store.queryOnce({ text: "select from systems where name = 'Lost'" })).toEqual([]);
});

it('has no gap under concurrent writers', async () => {
  const store = service.storage.tenant(fixture.organizationId, actor);
  const create = (index: number) =>
    store.transaction(transaction =>
      createSystem(transaction, { name: `System ${index}`, environment: 'test', kind: 'api' }),
    );
  await Promise.all(Array.from({ length: 40 }, (_, index) => create(index)));
  expect(await brokenChains()).toEqual([]);
});

describe('account entries', () => {
  /** In a new organization. */
  async function createLog() {
    const organizationId = await service.createOrganization();
    const store = service.storage.tenant(organizationId, actor);
    const create = (transaction: TenantTransaction) =>
      createSystem(transaction, { name: 'System', environment: 'test', kind: 'api' });
    /** Appends an entry, and keeps the log locked until the transaction ends. */
    const append = (transaction: TenantTransaction) =>
      transaction.query(
        auditStatement(actor, [{ action: 'e.f', objectKind: 'system', objectId: organizationId }]),
      );
    const record = (action: string) =>
      service.storage.people.transaction(async transaction =>
        transaction.audit(organizationId, actor, { action, objectKind: 'person', objectId: 'x' }),
      );
    const entries = async () =>
      (
        await asAdministrator(
          'select action from audit_entries where organization_id = $1 order by sequence',
          [organizationId],
        )
      ).rows.map(({ action }) => action);
    return { organizationId, store, create, append, record, entries };
  }
  const turn = () => dueTurn(service);

  it('lock a log for the duration of the commit only', async () => {
    const { organizationId, store, create, entries } = await createLog();
    await service.storage.people.transaction(async transaction => {
      transaction.audit(organizationId, actor, { action: 'a.b', objectKind: 'person', objectId: 'x' });
      await store.transaction(create);
    });
    expect(await entries()).toEqual(['organization.created', 'system.created', 'a.b']);
  });

  it('do not wait for a locked log, and are appended by the worker once it is free', async () => {
    const { store, append, record, entries } = await createLog();
    const failing = store.transaction(async transaction => {
      await append(transaction);
      await record('a.b');
      await record('c.d');
      await turn();
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await entries()).toEqual(['organization.created']);
    await turn();
    expect(await entries()).toEqual(['organization.created', 'a.b', 'c.d']);
    expect(await brokenChains()).toEqual([]);
  });

  it('are all appended before the log is read, however many', async () => {
    const { store, append, entries } = await createLog();
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      action: 'a.b',
      objectKind: 'system',
      objectId: String(index),
    }));
    await store.transaction(async transaction => {
      await append(transaction);
      await store.transaction(async other => other.audit(...many));
    });
    await settleAuditLog(store);
    expect(await entries()).toHaveLength(2 + many.length);
    expect(await brokenChains()).toEqual([]);
  });

  it('stay pending if the transaction that appends them is rolled back', async () => {
    const { store, append, record, entries } = await createLog();
    await store.transaction(async transaction => {
      await append(transaction);
      await record('a.b');
    });
    const failing = store.transaction(async transaction => {
      await append(transaction);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await record('c.d');
    expect(await entries()).toEqual(['organization.created', 'e.f', 'a.b', 'c.d']);
  });

  it('are appended once, before later entries, under concurrent writers', async () => {
    const { organizationId, store, create, record, entries } = await createLog();
    const one = async (index: number) => {
      await record(`first.${index}`);
      await Promise.all([store.transaction(create), turn()]);
      await record(`second.${index}`);
    };
    await Promise.all(Array.from({ length: 25 }, (_, index) => one(index)));
    await turn();
    const found = await entries();
    expect(found.length).toBe(1 + 3 * 25);
    for (let index = 0; index < 25; index++) {
      const first = found.indexOf(`first.${index}`);
      expect(first).toBeGreaterThan(0);
      expect(found.indexOf(`second.${index}`)).toBeGreaterThan(first);
    }
    expect(await brokenIn(organizationId)).toEqual([]);
  });
});

it.each([
  [
    'an altered entry',
    "update audit_entries set detail = '{}' where sequence = 3",
    { sequence: 3, problem: 'entry_altered' },
  ],
  [
    'an altered actor',
    "update audit_entries set actor_id = 'nobody' where sequence = 2",
    { sequence: 2, problem: 'entry_altered' },
  ],
  [
    'a moved time',
    "update audit_entries set occurred_at = occurred_at - interval '1 ms' where sequence = 4",
    { sequence: 4, problem: 'entry_altered' },
  ],
  [
    'a removed entry',
    'delete from audit_entries where sequence = 5',
    { sequence: 6, problem: 'out_of_sequence' },
  ],
  ['a cut tail', 'delete from audit_entries where sequence > 3', { sequence: 7, problem: 'head_mismatch' }],
  ['a removed head', 'delete from audit_heads', { sequence: 7, problem: 'head_missing' }],
])('finds %s', async (_name, tampering, expected) => {
  const tampered = await createFixture(service);
  await tamper(
    `${tampering} ${tampering.includes('where') ? 'and' : 'where'} organization_id = '${tampered.organizationId}'`,
  );
  expect(await brokenIn(tampered.organizationId)).toContainEqual(expected);
});

it('finds a removed log', async () => {
  const { organizationId } = await createFixture(service);
  for (const table of ['audit_entries', 'audit_heads']) {
    await tamper(`delete from ${table} where organization_id = '${organizationId}'`);
  }
  expect(await brokenIn(organizationId)).toEqual([{ sequence: 0, problem: 'log_missing' }]);
});

describe('a long log', () => {
  /** A new organization with this many entries, its verification, and the number of pieces. */
  async function longLog(entries: number) {
    const store = service.storage.tenant(await service.createOrganization(), actor);
    const event = { action: 'scan.finished', objectKind: 'scan', objectId: 'x' };
    await store.transaction(async transaction =>
      transaction.audit(...Array.from({ length: entries - 1 }, () => event)),
    );
    return {
      organizationId: store.organizationId,
      async verify() {
        const read = vi.spyOn(store, 'read');
        const { holds, entries, holds_until, problem } = await verifyAuditChain(store);
        return { holds, entries, holds_until, problem, pieces: read.mock.calls.length };
      },
    };
  }

  it.each([
    [1_999, 1],
    [2_000, 2],
    [4_100, 3],
  ])('of %d entries is verified in %d pieces', async (entries, pieces) => {
    const { verify } = await longLog(entries);
    expect(await verify()).toEqual({ holds: true, entries, holds_until: entries, problem: null, pieces });
  });

  it.each([
    ['the last entry of a piece', 'delete', 2_000, 1_999, 'out_of_sequence'],
    ['the first entry of a piece', 'delete', 2_001, 2_000, 'out_of_sequence'],
    ['the first entry of a piece', 'alter', 2_001, 2_000, 'entry_altered'],
    ['an entry of the last piece', 'alter', 4_050, 4_049, 'entry_altered'],
  ] as const)('is not valid if %s is tampered with (%s %d)', async (_, how, sequence, until, problem) => {
    const { organizationId, verify } = await longLog(4_100);
    const change = how === 'delete' ? 'delete from audit_entries' : `update audit_entries set detail = '[]'`;
    await tamper(`${change} where sequence = ${sequence} and organization_id = '${organizationId}'`);
    expect(await verify()).toMatchObject({ holds: false, entries: 4_100, holds_until: until, problem });
  });
});
