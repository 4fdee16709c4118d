import type pg from 'pg';
import type { AuditProblem } from '../contract/dashboard/audit-problems.ts';
import type { Actor } from '../database/audit.ts';
import { brokenAuditChains } from '../database/audit-chain.ts';
import {
  type AuditHead,
  type BrokenAnchor,
  findBrokenAnchors,
  readAuditHeads,
} from '../database/audit-heads.ts';
import { unhurried } from '../database/connection.ts';
import { PeopleStore } from '../database/people-store.ts';
import { storingLock } from './credentials/vault.ts';
import { peopleTables, tenantTables } from './credentials/wrapped-tables.ts';
import { createOrganization, type Organization } from './people/organizations.ts';

/** Advisory lock of whoever rotates the master key. */
const rotationLock = 1347571798;

export interface ServerDescription {
  readonly version: string;
  readonly fsync: boolean;
  readonly bypassesRowSecurity: boolean;
  /** The newest migration that was applied. */
  readonly migration: string;
}

/** What a master key wraps. */
export interface KeyUse {
  readonly id: string;
  readonly records: number;
  /** Records of each kind, as the operator calls them. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * LOOKS ACROSS ORGANIZATIONS. On a database role of its own; handlers never get it. It serves the operator at the host,
 * and what happens at its time.
 */
export class SystemStore {
  readonly #pool: pg.Pool;
  #pinging: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  createOrganization(name: string, actor: Actor): Promise<Organization> {
    return new PeopleStore(this.#pool).transaction(transaction =>
      createOrganization(transaction, name, actor),
    );
  }

  async listOrganizations(): Promise<(Organization & { created_at: string })[]> {
    const { rows } = await this.#pool.query<Organization & { created_at: string }>(
      'select id, name, created_at from organizations order by created_at, id',
    );
    return rows;
  }

  /** Entries at which an organization's audit chain does not hold; empty when all chains do. */
  async brokenAuditChains(): Promise<{ organization_id: string; sequence: number; problem: AuditProblem }[]> {
    const client = await this.#pool.connect();
    try {
      // A chain may be long: this check is the operator's, and may take its time.
      await client.query('begin; set local statement_timeout = 0');
      const { rows } = await client.query({
        ...brokenAuditChains,
        query_timeout: unhurried,
      } as object as pg.QueryConfig);
      await client.query('commit');
      return rows;
    } finally {
      client.release();
    }
  }

  /** The heads of all audit chains, in batches. */
  auditHeads(): AsyncGenerator<AuditHead[]> {
    return readAuditHeads(this.#pool);
  }

  /** See `findBrokenAnchors`. */
  brokenAnchors(anchors: readonly AuditHead[]): Promise<BrokenAnchor[]> {
    return findBrokenAnchors(this.#pool, anchors);
  }

  /** Acceptances whose date has come, fairly by organization. */
  dueAcceptances(limit: number): Promise<{ organizationId: string; findingId: string }[]> {
    return this.#takeTurns(
      `select organization_id as "organizationId", id as "findingId" from findings
        where triage = 'accepted' and accepted_until <= now()`,
      limit,
    );
  }

  /** Watches whose next scan is due, fairly by organization. */
  dueWatches(limit: number): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#takeTurns(
      `select organization_id as "organizationId", source_id as "sourceId" from watches where next_scan_at <= now()`,
      limit,
    );
  }

  /** Organizations for which entries of the audit log are pending. */
  pendingAudits(limit: number): Promise<{ organizationId: string }[]> {
    return this.#takeTurns(
      'select distinct organization_id as "organizationId" from pending_audit_entries',
      limit,
    );
  }

  /**
   * One item of each organization before the second of any. The order within an organization is random, so that items that always fail
   * do not stay in front of its others.
   */
  async #takeTurns<Item extends { organizationId: string }>(items: string, limit: number): Promise<Item[]> {
    const { rows } = await this.#pool.query<{ item: Item }>(
      `select to_json(items) as item
        from (${items}) as items
        order by row_number() over (partition by "organizationId" order by random()), random() limit $1`,
      [limit],
    );
    return rows.map(({ item }) => item);
  }

  /**
   * Does the work while nobody else rotates the master key, or returns undefined when somebody does. The work is given
   * what waits until all credentials are stored whose storing has begun.
   */
  async whileRotating<T>(work: (waitForStores: () => Promise<void>) => Promise<T>): Promise<T | undefined> {
    const client = await this.#pool.connect();
    try {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [rotationLock]);
      if (!rows[0].mine) return undefined;
      return await work(async () => {
        await client.query('begin; set local statement_timeout = 0; set local lock_timeout = 0');
        const wait = {
          text: 'select pg_advisory_xact_lock($1)',
          values: [storingLock],
          query_timeout: unhurried,
        };
        await client.query(wait);
        await client.query('commit');
      });
    } finally {
      // The lock ends with its session too, but some time after that: who comes next should find it free.
      await client.query('select pg_advisory_unlock($1)', [rotationLock]).catch(() => {});
      client.release(true);
    }
  }

  /** Organizations that have records which these master keys wrap, or which others do. */
  async organizationsWrapped(by: 'these' | 'others', masterKeyIds: readonly string[]): Promise<string[]> {
    const condition = by === 'these' ? '= any($1)' : '<> all($1)';
    const parts = tenantTables.map(
      ({ name }) => `select organization_id from ${name} where master_key_id ${condition}`,
    );
    const { rows } = await this.#pool.query<{ organization_id: string }>(parts.join(' union '), [
      masterKeyIds,
    ]);
    return rows.map(row => row.organization_id);
  }

  /** How many records each master key wraps, of organizations and of people. */
  async masterKeysInUse(): Promise<KeyUse[]> {
    const parts = [...tenantTables, ...peopleTables].map(
      ({ name, called }) => `select master_key_id as id, '${called}' as called from ${name}`,
    );
    const { rows } = await this.#pool.query<KeyUse>(
      `select id, sum(records)::int as records, jsonb_object_agg(called, records) as kinds
        from (select id, called, count(*)::int as records from (${parts.join(' union all ')}) as wrapped
          group by id, called) as counted
        group by id order by id`,
    );
    return rows;
  }

  /** What an operator should know of the server, as this role sees it. */
  async describeServer(): Promise<ServerDescription> {
    const { rows } = await this.#pool.query<ServerDescription>(
      `select current_setting('server_version') as version, current_setting('fsync') = 'on' as fsync,
        (select bool_or(rolsuper or rolbypassrls) from pg_roles
          where rolname in (current_user, regexp_replace(current_user, '_system$', '_app'))) as "bypassesRowSecurity",
        (select name from schema_migrations order by version desc limit 1) as migration`,
    );
    return rows[0]!;
  }

  /** Round trip to the database, one for all who ask meanwhile. Rejects when an open connection does not answer within five seconds. */
  ping(): Promise<void> {
    const question: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: 5_000 };
    this.#pinging ??= this.#pool
      .query(question)
      .then(() => {})
      .finally(() => {
        this.#pinging = undefined;
      });
    return this.#pinging;
  }
}
