import type pg from 'pg';
import type { Query } from './connection.ts';
import { codeOf, statementCanceled, tooManyConnections } from './error-codes.ts';
import type { Outages } from './outages.ts';
import { sendTogether } from './send-together.ts';
import { prepareForTenants, TenantQuery } from './tenant-query.ts';

interface Slot {
  client: Promise<pg.PoolClient> | undefined;
  /** Statements that were sent and not answered. */
  pending: number;
}

/** Statements of one organization that may be pending: each delays those behind it. */
const mostPending = 8;

/**
 * What PostgreSQL answers when it cancels a statement at its time limit (`query_canceled`), and to those behind it with the same name: if
 * it was canceled before it was prepared, they find none (`invalid_sql_statement_name`), or prepare it twice
 * (`duplicate_prepared_statement`).
 */
const canceled: ReadonlySet<string | undefined> = new Set([statementCanceled, '26000', '42P05']);

/**
 * Connections that short statements of all organizations share: each is sent at once, and answered after those before it. A statement
 * delays those behind it, so this is only for reads of a page by an index.
 */
export class SharedConnections {
  readonly #pool: pg.Pool;
  readonly #outages: Outages;
  readonly #slots: readonly Slot[];
  readonly #open = new Set<pg.PoolClient>();
  readonly #pendingOf = new Map<string, number>();

  /** @param pool used for nothing else; all its connections stay open */
  constructor(pool: pg.Pool, outages: Outages) {
    this.#pool = pool;
    this.#outages = outages;
    this.#slots = Array.from({ length: pool.options.max }, () => ({ client: undefined, pending: 0 }));
  }

  /**
   * Rejects with `DatabaseUnavailable`. Undefined if the statement needs a connection of its organization: it takes long, the organization
   * has many pending statements, or PostgreSQL permits no more connections.
   */
  async query<Row extends object>(organizationId: string, query: Query<Row>): Promise<Row[] | undefined> {
    const pending = this.#pendingOf.get(organizationId) ?? 0;
    if (pending >= mostPending) return undefined;
    const slot = this.#slots.reduce((least, other) => (other.pending < least.pending ? other : least));
    this.#count(slot, organizationId, 1);
    try {
      const client = await this.#clientOf(slot).catch(error => {
        if (codeOf(error) === tooManyConnections) return undefined;
        throw this.#outages.translate(error);
      });
      if (!client) return undefined;
      return await new Promise((resolve, reject) => {
        const done = (error: (Error & { code?: string }) | null, result: pg.QueryResult) => {
          if (!error) resolve(result.rows as Row[]);
          else if (canceled.has(error.code)) resolve(undefined);
          else reject(this.#outages.translate(error));
        };
        sendTogether(client);
        client.query(new TenantQuery(organizationId, query, done));
      });
    } finally {
      this.#count(slot, organizationId, -1);
    }
  }

  /** Waits for the pending statements. Idempotent. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#slots.map(slot => slot.client));
    for (const client of this.#open) this.#release(client);
    if (!this.#pool.ending) await this.#pool.end();
  }

  #count(slot: Slot, organizationId: string, change: 1 | -1): void {
    slot.pending += change;
    const pending = (this.#pendingOf.get(organizationId) ?? 0) + change;
    if (pending > 0) this.#pendingOf.set(organizationId, pending);
    else this.#pendingOf.delete(organizationId);
  }

  #clientOf(slot: Slot): Promise<pg.PoolClient> {
    if (slot.client) return slot.client;
    const client = this.#connect(() => {
      if (slot.client === client) slot.client = undefined;
    });
    slot.client = client;
    return client;
  }

  async #connect(onLost: () => void): Promise<pg.PoolClient> {
    const leave = (error: Error) => {
      onLost();
      if (client) this.#release(client, error);
    };
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      this.#open.add(client);
      client.once('error', leave);
      await prepareForTenants(client);
      return client;
    } catch (error) {
      leave(error as Error);
      throw error;
    }
  }

  #release(client: pg.PoolClient, error?: Error): void {
    if (this.#open.delete(client)) client.release(error);
  }
}
