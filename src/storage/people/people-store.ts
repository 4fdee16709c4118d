import type pg from 'pg';
import type { Permits } from '../../domain/permits.ts';
import { type Actor, type AuditEvent, auditStatement } from '../audit.ts';
import type { Statement } from '../connection.ts';
import { beginTransaction, runTransaction } from '../run-transaction.ts';
import { sessionOn, type TenantSession } from '../tenant-store.ts';

/** A transaction over people's accounts: what it writes and its audit entries commit together. */
export interface PeopleTransaction extends TenantSession {
  /** Appends to the audit chain of one organization. */
  audit(organizationId: string, actor: Actor, event: AuditEvent): Promise<void>;
}

/** A person's share of a pool's connections. `Permits` calls the holder an organization. */
interface Share {
  readonly permits: Permits;
  readonly holder: string;
}

/**
 * LOOKS ACROSS ORGANIZATIONS. People's accounts, sessions and memberships, on the system role: whoever signs in belongs to
 * no organization yet. Everything that uses it is in this folder and names the person or the organization itself.
 */
export class PeopleStore implements TenantSession {
  readonly #pool: pg.Pool;
  readonly #share: Share | undefined;

  /** @param share whose share of the pool's connections is used; without one nobody's */
  constructor(pool: pg.Pool, share?: Share) {
    this.#pool = pool;
    this.#share = share;
  }

  /** One statement as a transaction of its own. */
  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    return this.#within(async () => (await this.#pool.query<Row>(statement as pg.QueryConfig)).rows);
  }

  /** Commits when `work` resolves, rolls back when it rejects. No network call and no hashing of passwords inside. */
  async transaction<T>(work: (transaction: PeopleTransaction) => Promise<T>): Promise<T> {
    return this.#within(() =>
      runTransaction(this.#pool, beginTransaction, async client => {
        const session = sessionOn(client);
        return work({
          ...session,
          audit: async (organizationId, actor, event) => {
            await client.query("select set_config('parapet.organization_id', $1, true)", [organizationId]);
            await session.query(auditStatement(actor, [event]));
          },
        });
      }),
    );
  }

  #within<T>(work: () => Promise<T>): Promise<T> {
    return this.#share ? this.#share.permits.use({ organizationId: this.#share.holder }, work) : work();
  }
}
