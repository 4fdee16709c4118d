import type pg from 'pg';
import type { AuditProblem } from '../contract/dashboard/audit-problems.ts';
import { rotationLock, storingLock } from '../database/advisory-locks.ts';
import type { Actor } from '../database/audit.ts';
import { brokenAuditChains } from '../database/audit-chain.ts';
import {
  type AuditHead,
  type BrokenAnchor,
  findBrokenAnchors,
  readAuditHeads,
} from '../database/audit-heads.ts';
import { unhurried } from '../database/connection.ts';
import { findLockFaults } from '../database/find-lock-faults.ts';
import { type JobCount, jobCounts } from '../database/jobs/job-counts.ts';
import { newestMigration } from '../database/migrations.ts';
import { PeopleStore } from '../database/people-store.ts';
import { permittedConnections } from '../database/permitted-connections.ts';
import { db } from '../database/query-builder.ts';
import { beginTransaction, runTransaction } from '../database/run-transaction.ts';
import { sessionOn, type TenantSession, withSession } from '../database/tenant-store.ts';
import { peopleTables, tenantTables } from './credentials/wrapped-tables.ts';
import { DueWork } from './due-work.ts';
import { type OrganizationActivity, organizationActivity } from './installation/organization-activity.ts';
import { createOrganization, type Organization } from './people/organizations.ts';

export interface ServerDescription {
  readonly version: string;
  readonly fsync: boolean;
  readonly bypassesRowSecurity: boolean;
  /** The newest applied migration. */
  readonly migration: string;
}

/** The records that a master key wraps. */
export interface KeyUse {
  readonly id: string;
  readonly records: number;
  /** Records by kind, with names for operators. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * READS ACROSS ORGANIZATIONS. With its own database role; handlers never get it. It serves the operator on the host,
 * and scheduled work.
 */
export class SystemStore {
  readonly #pool: pg.Pool;
  readonly #session: TenantSession;
  readonly due: DueWork;
  #pinging: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#session = sessionOn(pool);
    this.due = new DueWork(this.#session);
  }

  createOrganization(name: string, actor: Actor): Promise<Organization> {
    return new PeopleStore(this.#pool).transaction(transaction =>
      createOrganization(transaction, name, actor),
    );
  }

  /** Without those that are being deleted. */
  async listOrganizations(): Promise<(Organization & { created_at: string })[]> {
    const all = await this.allOrganizations();
    return all.flatMap(({ deleted_at, erasing_since, ...kept }) => (deleted_at === null ? [kept] : []));
  }

  /** Organizations that were deleted and are not in the log of a worker yet. */
  unloggedDeletions(limit: number): Promise<{ id: string; deleted_at: string }[]> {
    return this.#session.query({
      text: 'select id, deleted_at from organization_deletions where logged_at is null order by id limit $1',
      values: [limit],
    });
  }

  async markDeletionsLogged(ids: readonly string[]): Promise<void> {
    await this.#session.query({
      text: 'update organization_deletions set logged_at = now() where id = any($1::uuid[])',
      values: [ids],
    });
  }

  allOrganizations(): Promise<
    (Organization & { created_at: string; deleted_at: string | null; erasing_since: string | null })[]
  > {
    return this.#session.query(
      db
        .selectFrom('organizations')
        .select(['id', 'name', 'created_at', 'deleted_at', 'erasing_since'])
        .orderBy('created_at')
        .orderBy('id'),
    );
  }

  /** See `organizationActivity`. */
  organizationActivity(limit: number): Promise<OrganizationActivity[]> {
    return organizationActivity(this.#session, limit);
  }

  /** See `findLockFaults`. */
  lockFaults(): Promise<string[]> {
    return findLockFaults(this.#pool);
  }

  /** Breaks in audit chains; empty if all chains are intact. */
  brokenAuditChains(): Promise<{ organization_id: string; sequence: number; problem: AuditProblem }[]> {
    return runTransaction(this.#pool, `${beginTransaction}; set local statement_timeout = 0`, client =>
      withSession(client, session => session.query(brokenAuditChains)),
    );
  }

  /** The moments of the last backup and of the last scheduled one; null without any. */
  async lastBackups(): Promise<{ any: Date | null; scheduled: Date | null }> {
    const rows = await this.#session.query<{ any: string | null; scheduled: string | null }>({
      text: `select max(made_at) as any, max(made_at) filter (where scheduled) as scheduled from backups`,
    });
    const { any, scheduled } = rows[0]!;
    return {
      any: any === null ? null : new Date(any),
      scheduled: scheduled === null ? null : new Date(scheduled),
    };
  }

  /** The heads of all audit chains, in batches. */
  auditHeads(): AsyncGenerator<AuditHead[]> {
    return readAuditHeads(this.#session);
  }

  /** See `findBrokenAnchors`. */
  brokenAnchors(anchors: readonly AuditHead[]): Promise<BrokenAnchor[]> {
    return findBrokenAnchors(this.#session, anchors);
  }

  /**
   * Removes counts of Shield that are older than they are kept: 400 days by hour or day, 90 by rule,
   * path or network, 7 by all three.
   */
  async forgetShieldCounts(): Promise<void> {
    await this.#session.query({ text: `delete from shield_hours where hour < now() - interval '400 days'` });
    await this.#session.query({ text: `delete from shield_days where day < current_date - 400` });
    await this.#session.query({ text: `delete from shield_tops where day < current_date - 90` });
    await this.#session.query({ text: `delete from shield_blocks where day < current_date - 7` });
  }

  /** Removes messages after the 90 days in which their links unsubscribe, and notices after 30. */
  async forgetMessages(): Promise<void> {
    await this.#session.query({
      text: `delete from outbox where created_at < now() - interval '90 days'`,
    });
    await this.#session.query({
      text: `delete from notices where created_at < now() - interval '30 days'`,
    });
  }

  /**
   * Runs the work unless another rotation of the master key is running; then returns undefined. The work gets a
   * function that waits for all credential stores that have started.
   */
  whileRotating<T>(work: (waitForStores: () => Promise<void>) => Promise<T>): Promise<T | undefined> {
    // A lock of the transaction: a pooler would keep one of the session, and refuse every later rotation.
    const begin = `${beginTransaction}; set local idle_in_transaction_session_timeout = 0;
      set local statement_timeout = 0; set local lock_timeout = 0`;
    return runTransaction(this.#pool, begin, client =>
      withSession(client, async session => {
        const [lock] = await session.query<{ mine: boolean }>({
          text: 'select pg_try_advisory_xact_lock($1) as mine',
          values: [rotationLock],
        });
        if (!lock!.mine) return undefined;
        return work(async () => {
          await client.query('savepoint waiting');
          await session.query({
            text: 'select pg_advisory_xact_lock($1)',
            values: [storingLock],
            query_timeout: unhurried,
          });
          // Releases that lock alone: stores need not wait for the rotation.
          await client.query('rollback to savepoint waiting');
        });
      }),
    );
  }

  /** Organizations with records that these master keys wrap, or that others do. */
  async organizationsWrapped(by: 'these' | 'others', masterKeyIds: readonly string[]): Promise<string[]> {
    const found = await Promise.all(
      tenantTables.map(table => this.#session.query(table.organizations(by, masterKeyIds))),
    );
    return [...new Set(found.flat().map(row => row.organization_id))];
  }

  /** How many records each master key wraps, of organizations and of people. */
  async masterKeysInUse(): Promise<KeyUse[]> {
    const uses = new Map<string, KeyUse>();
    for (const { called, masterKeys } of [...tenantTables, ...peopleTables]) {
      for (const { id, records } of await this.#session.query(masterKeys)) {
        const use = uses.get(id);
        const kinds = { ...use?.kinds, [called]: records };
        uses.set(id, { id, records: (use?.records ?? 0) + records, kinds });
      }
    }
    return [...uses.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Server facts for operators, as visible to this role. */
  async describeServer(): Promise<ServerDescription> {
    const rows = await this.#session.query<ServerDescription>({
      text: `select current_setting('server_version') as version, current_setting('fsync') = 'on' as fsync,
        exists (select from pg_roles where (rolsuper or rolbypassrls)
          and rolname in (current_user, regexp_replace(current_user, '_system$', '_app'))) as "bypassesRowSecurity",
        coalesce((select name from schema_migrations order by version desc limit 1), 'none') as migration`,
    });
    return rows[0]!;
  }

  /** See `jobCounts`. */
  jobCounts(): Promise<JobCount[]> {
    return this.#session.query(jobCounts);
  }

  /** See `permittedConnections`. */
  permittedConnections(): Promise<number> {
    return permittedConnections(this.#session);
  }

  /** Whether a newer release has migrated the database in a way with which this one cannot run. */
  async isTooNew(): Promise<boolean> {
    const rows = await this.#session.query<{ oldest: number | null }>({
      text: 'select max(oldest) as oldest from schema_migrations',
      query_timeout: 5_000,
    });
    return (rows[0]!.oldest ?? 0) > (await newestMigration());
  }

  /**
   * One round trip to the database, shared by concurrent callers. Rejects if an open connection does not respond within
   * five seconds.
   */
  ping(): Promise<void> {
    this.#pinging ??= this.#session
      .query({ text: 'select 1', query_timeout: 5_000 })
      .then(() => {})
      .finally(() => {
        this.#pinging = undefined;
      });
    return this.#pinging;
  }
}
