import type { Socket } from 'node:net';
import type pg from 'pg';
import { isUuid } from '../contract/uuid.ts';
import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Actor, type AuditEvent, auditStatement } from './audit.ts';
import { type Query, queryConfig } from './connection.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Jobs, QueueName } from './jobs/queues.ts';
import { beginTransaction, runTransaction } from './run-transaction.ts';

/** A session that is bound to one organization for as long as it is used. */
export interface TenantSession {
  query<Row extends object = object>(query: Query<Row>): Promise<Row[]>;
}

/** A transaction: what it writes, its audit entries and its jobs commit together. */
export interface TenantTransaction extends TenantSession {
  /** In whose name it is done. */
  readonly actor: Actor;
  /**
   * Appends to the organization's audit chain, in the name of the store's actor. Last, where it can be: the chain's head stays locked
   * until the transaction ends, and whatever else is to be recorded for the organization waits for it.
   */
  audit(...events: AuditEvent[]): Promise<void>;
  /** The jobs exist when, and only when, the transaction commits. */
  enqueue<Name extends QueueName>(
    queue: Name,
    jobs: readonly Omit<Jobs[Name], 'organizationId'>[],
  ): Promise<void>;
}

/** What holds for a request, which may wait: for its actor, who may lose a right meanwhile, and beside others. */
export interface RequestTerms {
  /** Called by `transaction` once it has a connection (`begun`), and before it commits (`done`). */
  readonly assertMayChange?: (session: TenantSession, moment: 'begun' | 'done') => Promise<void>;
  /** Called by `read` and `queryOnce` once there is a connection: a download makes many. */
  readonly assertMayRead?: () => Promise<void>;
  /** Where `read` and `queryOnce` wait before they take a connection. */
  readonly inLine?: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * No organization gets more than half of the connections, and two that have as many leave some for others: their slow queries do not
 * block anybody else.
 */
export function connectionShares(connections: number): Permits {
  return new Permits({
    atOnce: connections,
    perHolder: Math.ceil(connections / 2),
    reserved: Math.floor(connections / 4),
    waitingPerHolder: Number.POSITIVE_INFINITY,
    longestWaitMs: 10_000,
    refusal: noConnection,
  });
}

function noConnection(): Refusal {
  return new Refusal('request_failed', {}, { cause: 'no database connection was free in time' });
}

/**
 * The rows of one organization, and no way to name another. Each use is one transaction on a connection of the app
 * role, with the organization set for that transaction alone: row-level security does the rest, behind a connection
 * pooler too. A statement without a condition returns this organization's rows only.
 */
export class TenantStore {
  readonly #pool: pg.Pool;
  readonly #shares: Permits;
  readonly #jobs: JobQueue;
  readonly organizationId: string;
  readonly #actor: Actor;
  readonly #begin: string;
  readonly #terms: RequestTerms;

  /** @param shares of the pool's connections, for the stores of all organizations */
  constructor(
    pool: pg.Pool,
    shares: Permits,
    jobs: JobQueue,
    organizationId: string,
    actor: Actor,
    terms: RequestTerms,
  ) {
    if (!isUuid(organizationId)) throw new TypeError('an organization id is a UUID');
    this.#pool = pool;
    this.#shares = shares;
    this.#terms = terms;
    this.#jobs = jobs;
    this.organizationId = organizationId;
    this.#actor = actor;
    this.#begin = `${beginTransaction}; set local parapet.organization_id = '${organizationId}'`;
  }

  /** Reads with one snapshot a statement. `work` may send several statements at once: they share the round trip. */
  async read<T>(work: (session: TenantSession) => Promise<T>): Promise<T> {
    return this.#read(() => this.#run(client => work(sessionOn(client))));
  }

  /** Commits when `work` resolves, rolls back when it rejects. No network call belongs inside. */
  async transaction<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#shares.use({ holder: this.organizationId }, () =>
      this.#run(async client => {
        const session = sessionOn(client);
        await this.#terms.assertMayChange?.(session, 'begun');
        const result = await work({
          ...session,
          actor: this.#actor,
          audit: async (...events) => void (await session.query(auditStatement(this.#actor, events))),
          enqueue: <Name extends QueueName>(
            queue: Name,
            jobs: readonly Omit<Jobs[Name], 'organizationId'>[],
          ) =>
            this.#jobs.send(
              queue,
              jobs.map(job => ({ ...job, organizationId: this.organizationId }) as Jobs[Name]),
              client,
            ),
        });
        await session.query({ name: 'advance-data-version', text: 'select advance_data_version()' });
        await this.#terms.assertMayChange?.(session, 'done');
        return result;
      }),
    );
  }

  /**
   * One statement as a transaction of its own, all of it sent in one round trip. For the routes that are called most.
   */
  async queryOnce<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    return this.#read(() => this.#queryOnce(query));
  }

  /**
   * The same for what follows a change that was made, such as its answer: it waits in no line of reads, and for no right, which the
   * change may have taken away.
   */
  async conclude(query: Query): Promise<void> {
    await this.#shares.use({ holder: this.organizationId }, () => this.#queryOnce(query));
  }

  #read<T>(read: () => Promise<T>): Promise<T> {
    const { assertMayRead, inLine = work => work() } = this.#terms;
    return inLine(() =>
      this.#shares.use({ holder: this.organizationId }, async () => {
        await assertMayRead?.();
        return read();
      }),
    );
  }

  #run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return runTransaction(this.#pool, this.#begin, work);
  }

  async #queryOnce<Row>(query: Query<Row>): Promise<Row[]> {
    const config = queryConfig(query);
    const client = await this.#pool.connect();
    let broken = true;
    try {
      sendTogether(client);
      const [, result] = await Promise.all([
        client.query(this.#begin),
        client.query(config),
        client.query('commit'),
      ]);
      broken = false;
      return result.rows as Row[];
    } finally {
      client.release(broken);
    }
  }
}

/** What is sent in this tick goes out in one write: for short statements, the system calls are what costs. */
function sendTogether(client: pg.PoolClient): void {
  // The driver corks a stream like this for the messages of one query; its types do not name the stream.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Statements on one connection, or each on any of a pool. */
export function sessionOn(client: pg.PoolClient | pg.Pool): TenantSession {
  return {
    query: async <Row>(query: Query<Row>) => (await client.query(queryConfig(query))).rows as Row[],
  };
}
