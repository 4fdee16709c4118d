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
import { type JobCount, jobCounts } from '../database/jobs/job-counts.ts';
import { newestMigration } from '../database/migrations.ts';
import { PeopleStore } from '../database/people-store.ts';
import { permittedConnections } from '../database/permitted-connections.ts';
import { db } from '../database/query-builder.ts';
import { beginTransaction, runTransaction } from '../database/run-transaction.ts';
import { sessionOn, type TenantSession, withSession } from '../database/tenant-store.ts';
import { storingLock } from './credentials/vault.ts';
import { peopleTables, tenantTables } from './credentials/wrapped-tables.ts';
import { createOrganization, type Organization } from './people/organizations.ts';
import { hasChanged, hasEnded, hasStayed } from './probes/presence.ts';

/** Advisory lock of a master key rotation. */
const rotationLock = 1347571798;

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
  #pinging: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#session = sessionOn(pool);
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

  /** Acceptances past their date, round-robin by organization. */
  dueAcceptances(limit: number): Promise<{ organizationId: string; findingId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select organization_id as "organizationId", id as "findingId" from findings
        where triage = 'accepted' and accepted_until <= now()`),
      values: [limit],
    });
  }

  /** Watches with a due scan, round-robin by organization. */
  dueWatches(limit: number): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(
        `select organization_id as "organizationId", source_id as "sourceId" from watches where next_scan_at <= now()`,
      ),
      values: [limit],
    });
  }

  /** Organizations whose retention of scans is not applied yet today. */
  dueRetentions(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: `select o.id as "organizationId" from organizations o left join retention_turns t on t.organization_id = o.id
        where scan_horizon(o.scan_retention_days, o.scan_retention_applies_at) is not null
          and not coalesce(t.ended and t.day >= (now() at time zone 'UTC')::date, false)
        order by random() limit $1`,
      values: [limit],
    });
  }

  /** Organizations with events that wait to be processed. */
  pendingEvents(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      // From one organization to the next: one with many events takes no longer.
      text: `with recursive pending (id) as (
          (select organization_id from event_inbox order by organization_id limit 1)
          union all
          select (select organization_id from event_inbox where organization_id > p.id order by organization_id limit 1)
          from pending p where p.id is not null)
        select id as "organizationId" from pending
        where id is not null and id not in (select o.id from organizations o where deleted_at is not null)
        order by random() limit $1`,
      values: [limit],
    });
  }

  /** Probes that have ended and are not yet known to be silent. */
  silentProbes(limit: number): Promise<{ organizationId: string; probeId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select organization_id as "organizationId", id as "probeId" from probes
        where silent_since is null and interval_seconds > 0 and ${hasEnded} and ${hasStayed}`),
      values: [limit],
    });
  }

  /** Sources on which a probe no longer reports, or does again, since it was last reported whether one does. */
  changedPresences(
    limit: number,
    { canBeSilent }: { readonly canBeSilent: boolean },
  ): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select t.organization_id as "organizationId", t.source_id as "sourceId"
        from probe_targets t join probes p on (p.organization_id, p.id) = (t.organization_id, t.probe_id)
          join sources s on (s.organization_id, s.id) = (t.organization_id, t.source_id)
        where s.scan_authorized_at is not null and (t.silent or $2) and ${hasChanged}`),
      values: [limit, canBeSilent],
    });
  }

  /** Sources with Shield on whose firewalls are due to be assessed. */
  dueShields(limit: number): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(
        `select organization_id as "organizationId", source_id as "sourceId" from shields where assess_at <= now()`,
      ),
      values: [limit],
    });
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

  /** Organizations with pending audit entries. */
  pendingAudits(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: roundRobin('select distinct organization_id as "organizationId" from pending_audit_entries'),
      values: [limit],
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

/**
 * SQL of one item per organization before the second of any; `$1` is the limit. The order within an organization is
 * random, so that items that always fail do not stay ahead of others.
 */
function roundRobin(items: string): string {
  return `select items.* from (${items}) as items
    order by row_number() over (partition by "organizationId" order by random()), random() limit $1`;
}
