import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionShares } from '../../src/database/connection-shares.ts';
import type { JobQueue } from '../../src/database/jobs/job-queue.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { SharedConnections } from '../../src/database/shared-connections.ts';
import { type TenantSession, TenantStore } from '../../src/database/tenant-store.ts';
import { listFindings } from '../../src/resources/findings/findings.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { asOwner, testPool } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let one: Fixture;
let other: Fixture;
beforeAll(async () => {
  service = await startService();
  one = await createFixture(service);
  other = await createFixture(service);
});
afterAll(() => service?.close());

const storeOf = (fixture: Fixture): TenantStore =>
  service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });

interface Relation {
  name: string;
  enabled: boolean;
  forced: boolean;
  policies: string[];
  indexes: { name: string; first: string }[];
}

/** Parapet's tables with rows of organizations, according to the catalog. */
async function tenantTables(): Promise<Relation[]> {
  return asOwner(service.database.connection, async client => {
    const { rows } = await client.query<Relation>(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
        array(select p.polname::text from pg_policy p where p.polrelid = c.oid order by 1) as policies,
        (select coalesce(json_agg(json_build_object('name', i.relname, 'first', first.attname)), '[]')
          from pg_index x join pg_class i on i.oid = x.indexrelid
          join pg_attribute first on first.attrelid = c.oid and first.attnum = x.indkey[0]
          where x.indrelid = c.oid) as indexes
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (c.relname = 'organizations' or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id'))
      order by 1`);
    return rows;
  });
}

describe('the catalog', () => {
  it('has row-level security, forced, with a tenant policy on every table with rows of organizations', async () => {
    const tables = await tenantTables();
    expect(tables.length).toBeGreaterThanOrEqual(15);
    for (const { name, enabled, forced, policies } of tables) {
      expect({ name, enabled, forced, tenant: policies.includes('tenant') }).toEqual({
        name,
        enabled: true,
        forced: true,
        tenant: true,
      });
    }
  });

  it('reads the organization once for each statement, not for each row, where pages read whole tables', async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query<{ name: string }>(
        `select polrelid::regclass::text as name from pg_policy
          where polname = 'tenant' and pg_get_expr(polqual, polrelid) like '%( SELECT %current_setting%' order by 1`,
      ),
    );
    // `people` are those with a membership in the organization.
    expect(rows.map(row => row.name).filter(name => name !== 'people')).toEqual([
      'check_count_deltas',
      'check_counts',
      'check_titles',
      'inventory',
      'last_scans',
      'memberships',
      'shield_days',
      'shield_hours',
      'shield_tops',
      'source_assessments',
      'source_checks',
      'source_locators',
      'source_postures',
      'sources',
      'systems',
    ]);
  });

  it('lists every table without an organization by name', async () => {
    const tenant = new Set((await tenantTables()).map(table => table.name));
    const { rows } = await asOwner(service.database.connection, client =>
      client.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          order by 1`,
      ),
    );
    expect(rows.map(row => row.name).filter(name => !tenant.has(name))).toEqual([
      'backup_codes',
      'backups',
      'change_counts',
      'known_devices',
      'nodes',
      'one_time_links',
      'organization_deletions',
      'passkeys',
      'pending_identities',
      'people',
      'person_identities',
      'person_preferences',
      'releases',
      'role_logins',
      'schema_migrations',
      'sessions',
      'sign_in_attempts',
      'spent_challenges',
      'totp_factors',
    ]);
  });

  it('starts every index with the organization, except those by which a request finds its key, a link its invitation, and the sweep old counts', async () => {
    const others = (await tenantTables())
      .filter(table => table.name !== 'organizations')
      .flatMap(({ indexes }) =>
        indexes.filter(index => index.first !== 'organization_id').map(index => index.name),
      );
    expect(others).toEqual([
      'api_keys_id',
      'invitations_token',
      'notices_by_age',
      'messages_by_age',
      'unsubscribe_tokens',
      'shield_blocks_by_day',
      'shield_days_by_day',
      'shield_hours_by_time',
      'shield_tops_by_day',
    ]);
  });

  it('has service roles that own nothing and bypass nothing', async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query(
        `select r.rolname as name, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb as powerful,
          (select count(*)::int from pg_class c where c.relowner = r.oid) as owned,
          (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
        from pg_roles r where r.rolname like current_database() || '\\_%' order by 1`,
      ),
    );
    const database = service.database.connection.database;
    expect(rows).toEqual([
      { name: `${database}_app`, powerful: false, owned: 0, memberships: 0 },
      { name: `${database}_system`, powerful: false, owned: 0, memberships: 0 },
    ]);
  });
});

describe('a tenant store', () => {
  it("returns only its organization's rows to a query without a condition, from every table (spec 1)", async () => {
    const tables = (await tenantTables())
      .map(table => table.name)
      .filter(name => !/^(request_|data_versions$|invitations$|pending_audit_entries$)/.test(name));
    for (const name of tables) {
      // Read through the tables that they are part of.
      if (/^(events|event_counts)_\d/.test(name)) {
        const read = storeOf(one).queryOnce({ text: `select from ${name}` });
        await expect(read, name).rejects.toThrow(/permission denied/);
        continue;
      }
      const column = name === 'organizations' ? 'id' : 'organization_id';
      const rows = await storeOf(one).queryOnce<{ organization: string }>({
        text: `select distinct ${column} as organization from ${name}`,
      });
      expect(
        rows.filter(row => row.organization !== one.organizationId),
        name,
      ).toEqual([]);
    }
    const counted = await asOwner(service.database.connection, client =>
      client.query('select count(distinct organization_id)::int as organizations from findings'),
    );
    expect(counted.rows, 'others have rows to be seen').toEqual([{ organizations: 2 }]);
  });

  it("changes none of another organization's rows with an update or a delete without a condition", async () => {
    await storeOf(one).transaction(transaction =>
      transaction.query({ text: "update systems set name = 'taken'" }),
    );
    const names = await storeOf(other).queryOnce({ text: 'select name from systems' });
    expect(names).toEqual([{ name: 'Shop' }]);
  });

  it('cannot write a row into another organization', async () => {
    const insert = storeOf(one).transaction(transaction =>
      transaction.query({
        text: "insert into systems (organization_id, name, environment, kind) values ($1, 'x', 'test', 'api')",
        values: [other.organizationId],
      }),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
    const move = storeOf(one).transaction(transaction =>
      transaction.query({ text: 'update systems set organization_id = $1', values: [other.organizationId] }),
    );
    await expect(move).rejects.toThrow(/permission denied/);
  });

  it('leaves no organization set on a shared connection', async () => {
    const rounds = Array.from({ length: 200 }, (_, index) => {
      const fixture = index % 2 === 0 ? one : other;
      return listFindings(storeOf(fixture), {}).then(
        ({ rows }) => rows.map(row => row.id).join() === fixture.findingId,
      );
    });
    expect((await Promise.all(rounds)).every(Boolean)).toBe(true);
    const { roles } = await migrate(service.database.connection);
    const bare = new pg.Client({ ...service.database.connection, ...roles.app });
    await bare.connect();
    expect((await bare.query('select * from findings')).rows, 'no organization set').toEqual([]);
    await expect(bare.query('select * from request_nonces')).rejects.toThrow(/permission denied/);
    await expect(bare.query('select * from role_logins')).rejects.toThrow(/permission denied/);
    await expect(bare.query('update audit_entries set action = $1', ['x'])).rejects.toThrow(
      /permission denied/,
    );
    await expect(bare.query('delete from findings')).rejects.toThrow(/permission denied/);
    await bare.end();
  });

  it('refuses a statement after its transaction has ended, which could be in the transaction of another organization', async () => {
    const { roles } = await migrate(service.database.connection);
    const pool = testPool({ ...service.database.connection, ...roles.app, max: 1 });
    const connections = { pool, shares: connectionShares(1), shared: {} as SharedConnections };
    const actor = { kind: 'service', id: 'test' } as const;
    const storeOf = (id: string) => new TenantStore(connections, {} as JobQueue, id, actor, {});
    const findings = { text: 'select id from findings' };
    let release!: () => void;
    const isLate = new Promise<void>(resolve => {
      release = resolve;
    });
    try {
      let late!: Promise<unknown>;
      const failed = storeOf(one.organizationId).transaction(async transaction => {
        late = isLate.then(() => transaction.query(findings));
        await Promise.all([late, Promise.reject(new Error('failed'))]);
      });
      await expect(failed).rejects.toThrow('failed');
      await storeOf(other.organizationId).transaction(async transaction => {
        release();
        await expect(late).rejects.toThrow('after its transaction had ended');
        expect(await transaction.query(findings)).toEqual([{ id: other.findingId }]);
      });
    } finally {
      await pool.end();
    }
  });

  it('rejects with the error of the statement that failed first, not of those that were sent together with it', async () => {
    const failed = storeOf(one).transaction(async transaction => {
      const first = transaction.query({ text: 'select 1 / 0 as quotient' });
      first.catch(() => {});
      await transaction.query({ text: 'select id from findings' });
    });
    await expect(failed).rejects.toThrow('division by zero');
  });

  it('rejects if a statement failed whose error the work has ignored, since nothing was committed', async () => {
    const ignoring = async ({ query }: TenantSession) => {
      await query({ text: 'select 1 / 0 as quotient' }).catch(() => {});
    };
    await expect(storeOf(one).read(ignoring)).rejects.toThrow('was rolled back');
    await expect(service.storage.people.transaction(ignoring)).rejects.toThrow('was rolled back');
  });

  it('leaves no organization set on its connection', async () => {
    const { roles } = await migrate(service.database.connection);
    const pool = testPool({ ...service.database.connection, ...roles.app, max: 1 });
    const actor = { kind: 'service', id: 'test' } as const;
    const connections = { pool, shares: connectionShares(1), shared: {} as SharedConnections };
    const store = new TenantStore(connections, {} as JobQueue, one.organizationId, actor, {});
    try {
      expect(await store.queryOnce({ text: 'select id from findings' })).toEqual([{ id: one.findingId }]);
      await store.transaction(async transaction => {
        const rows = await transaction.query({ text: 'select id from findings' });
        expect(rows).toEqual([{ id: one.findingId }]);
      });
      expect((await pool.query('select id from findings')).rows).toEqual([]);
    } finally {
      await pool.end();
    }
  });

  it('accepts only a UUID as organization', () => {
    expect(() => storeOf({ ...one, organizationId: "x'; drop table findings; --" })).toThrow(/UUID/);
  });
});

describe('an API key', () => {
  const change = (assignment: string) =>
    storeOf(one).transaction(transaction => transaction.query({ text: `update api_keys set ${assignment}` }));

  it('keeps scopes, public key and allowed addresses unchanged after its creation (spec 2, 9)', async () => {
    await expect(change("scopes = '{ingest}'")).rejects.toThrow(/permission denied/);
    await expect(change("public_key = '\\x00'")).rejects.toThrow(/permission denied/);
    await expect(change("allowed_addresses = '{}'")).rejects.toThrow(/permission denied/);
  });

  it('only allows moving its expiry earlier, and stays revoked (spec 2, 3)', async () => {
    await expect(change("expires_at = expires_at + interval '1 second'")).rejects.toThrow(/earlier/);
    const key = await service.mint(one.organizationId);
    const revoke = (value: string) =>
      storeOf(one).transaction(transaction =>
        transaction.query({
          text: `update api_keys set revoked_at = ${value} where id = $1`,
          values: [key.token_id],
        }),
      );
    await revoke('now()');
    await expect(revoke('null')).rejects.toThrow(/final/);
  });
});
