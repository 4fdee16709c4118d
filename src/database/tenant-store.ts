import type pg from 'pg';
import { isUuid } from '../contract/uuid.ts';
import type { CommittedEvent, OnCommitted } from '../domain/committed-events.ts';
import type { Permits } from '../domain/permits.ts';
import { type Actor, type AuditEvent, auditStatement } from './audit.ts';
import { type Query, queryConfig, type Statement } from './connection.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Jobs, QueueName } from './jobs/queues.ts';
import { beginTransaction, type Conclude, runTransaction } from './run-transaction.ts';
import { sendTogether } from './send-together.ts';
import type { SharedConnections } from './shared-connections.ts';

/** A session bound to one organization. */
export interface TenantSession {
  /**
   * On one connection, statements run in the order of the calls, so that one that follows a lock reads what was committed before it, also
   * if its call does not wait for the lock. They share a round trip then.
   */
  query<Row extends object = object>(query: Query<Row>): Promise<Row[]>;
}

/** A transaction: changes, audit entries and jobs commit together. */
export interface TenantTransaction extends TenantSession {
  readonly organizationId: string;
  /** Recorded as the actor of audit entries. */
  readonly actor: Actor;
  /** Entries in the organization's audit log, as the store's actor. They are written right before the commit. */
  audit(...events: AuditEvent[]): void;
  /** For the log and the metrics, if the transaction commits. */
  report(...events: CommittedEvent[]): void;
  /** The jobs exist if and only if the transaction commits. */
  enqueue<Name extends QueueName>(
    queue: Name,
    jobs: readonly Omit<Jobs[Name], 'organizationId'>[],
  ): Promise<void>;
}

/** A copy of the database for reads that may be old. */
export interface ReadReplica {
  /**
   * Reads in a transaction that is bound to the organization. Undefined if the primary must do it: then `work` may have failed, and nothing
   * that it returned counts.
   */
  read<T>(
    organizationId: string,
    work: (session: TenantSession) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined>;
}

/** Connections for the stores of all organizations. */
export interface TenantConnections {
  readonly pool: pg.Pool;
  /** Of the pool. */
  readonly shares: Permits;
  /** For `queryShared`. Undefined behind a pooler, which does not keep statements of several transactions in order. */
  readonly shared: SharedConnections | undefined;
  readonly replica?: ReadReplica | undefined;
  readonly onCommitted?: OnCommitted | undefined;
}

/** Checks and queues of a request, whose actor may lose a permission while it waits. */
export interface RequestTerms {
  /** Of the request, for the log. */
  readonly requestId?: string;
  /** Span of the request or job, which the jobs that it sends continue. */
  readonly trace?: string | undefined;
  /** Called by `transaction` when it has a connection (`begun`), and before it commits (`done`). */
  readonly assertMayChange?: (session: TenantSession, moment: 'begun' | 'done') => Promise<void>;
  /** Called by `read` and `queryOnce` for each connection: a download uses many. */
  readonly assertMayRead?: () => Promise<void>;
  /** Whether `read` and `queryOnce` may use a replica, which has what was committed a second before. Default false. */
  readonly mayBeOld?: boolean;
  /** Queues `read` and `queryOnce` before they take a connection. */
  readonly inLine?: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * The rows of one organization, with no way to name another. Each use is one transaction on a connection of
 * the app role, with the organization set for that transaction alone. Row-level security enforces the rest,
 * also behind a connection pooler: a statement without a condition returns only rows of this organization.
 */
export class TenantStore {
  readonly #pool: pg.Pool;
  readonly #shares: Permits;
  readonly #shared: SharedConnections | undefined;
  readonly #replica: ReadReplica | undefined;
  readonly #onCommitted: OnCommitted | undefined;
  readonly #jobs: JobQueue;
  readonly organizationId: string;
  readonly #actor: Actor;
  readonly #begin: string;
  readonly #terms: RequestTerms;
  #mayBeOld: boolean;

  constructor(
    { pool, shares, shared, replica, onCommitted }: TenantConnections,
    jobs: JobQueue,
    organizationId: string,
    actor: Actor,
    terms: RequestTerms,
  ) {
    if (!isUuid(organizationId)) throw new TypeError('an organization id is a UUID');
    this.#pool = pool;
    this.#shares = shares;
    this.#shared = shared;
    this.#replica = replica;
    this.#onCommitted = onCommitted;
    this.#terms = terms;
    this.#mayBeOld = terms.mayBeOld ?? false;
    this.#jobs = jobs;
    this.organizationId = organizationId;
    this.#actor = actor;
    this.#begin = `${beginTransaction}; set local parapet.organization_id = '${organizationId}'`;
  }

  /** Reads with one snapshot per statement. `work` may send several statements at once, which share the round trip. */
  async read<T>(work: (session: TenantSession) => Promise<T>): Promise<T> {
    return this.#read(work, () => this.#run(work));
  }

  /** Commits when `work` resolves, rolls back when it rejects. Do not call the network inside. */
  async transaction<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    this.#mayBeOld = false;
    const reported: CommittedEvent[] = [];
    const done = await this.#shares.use({ holder: this.organizationId }, () =>
      this.#run(async (session, conclude) => {
        const events: AuditEvent[] = [];
        await this.#terms.assertMayChange?.(session, 'begun');
        const result = await work({
          ...session,
          organizationId: this.organizationId,
          actor: this.#actor,
          audit: (...more) => void events.push(...more),
          report: (...more) => void reported.push(...more),
          enqueue: (queue, jobs) => {
            const { trace } = this.#terms;
            const common = { organizationId: this.organizationId, ...(trace ? { trace } : {}) };
            const own = jobs.map(job => ({ ...job, ...common }));
            return this.#jobs.send(queue, own as Jobs[typeof queue][], session);
          },
        });
        const { assertMayChange } = this.#terms;
        const last: Statement[] = [{ name: 'advance-data-version', text: 'select advance_data_version()' }];
        if (events.length > 0) last.unshift(auditStatement(this.#actor, events));
        if (!assertMayChange) {
          for (const statement of last) conclude(statement);
          return result;
        }
        // They may wait, and the permission may end meanwhile.
        await Promise.all(last.map(statement => session.query(statement)));
        await assertMayChange(session, 'done');
        return result;
      }),
    );
    const { requestId } = this.#terms;
    const by = { organization_id: this.organizationId, ...(requestId ? { request_id: requestId } : {}) };
    for (const event of reported) this.#onCommitted?.(event, by);
    return done;
  }

  /** A read of one page by an index, which may delay those of other organizations. For the most frequent routes. */
  async queryShared<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    await this.#terms.assertMayRead?.();
    return (await this.#shared?.query(this.organizationId, query)) ?? this.queryOnce(query);
  }

  /** One statement in its own transaction, sent in one round trip. */
  async queryOnce<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    return this.#read(
      session => session.query(query),
      () => this.#queryOnce(query),
    );
  }

  /**
   * The same for statements that follow a change, such as reading the response: it skips the queue of readers
   * and permission checks, since the change may have removed the permission.
   */
  async conclude(query: Query): Promise<void> {
    await this.#shares.use({ holder: this.organizationId }, () => this.#queryOnce(query));
  }

  /** `queryOnce` for a statement that also notes that something was read. Later reads may be older than what it returns. */
  async noteOnce<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    return this.#inLine(() => this.#ofPrimary(() => this.#queryOnce(query)));
  }

  /** @param ofPrimary the same as `work` */
  #read<T>(work: (session: TenantSession) => Promise<T>, ofPrimary: () => Promise<T>): Promise<T> {
    return this.#inLine(async () => {
      const old =
        this.#mayBeOld &&
        (await this.#replica?.read(this.organizationId, async session => {
          await this.#terms.assertMayRead?.();
          return work(session);
        }));
      if (old) return old.result;
      // Nor may later reads: they would find less than this one.
      this.#mayBeOld = false;
      return this.#ofPrimary(ofPrimary);
    });
  }

  #inLine<T>(read: () => Promise<T>): Promise<T> {
    return this.#terms.inLine ? this.#terms.inLine(read) : read();
  }

  #ofPrimary<T>(read: () => Promise<T>): Promise<T> {
    return this.#shares.use({ holder: this.organizationId }, async () => {
      await this.#terms.assertMayRead?.();
      return read();
    });
  }

  #run<T>(work: (session: TenantSession, conclude: Conclude) => Promise<T>): Promise<T> {
    return runTransaction(this.#pool, this.#begin, (client, conclude) =>
      withSession(client, session => work(session, conclude)),
    );
  }

  async #queryOnce<Row>(query: Query<Row>): Promise<Row[]> {
    const config = queryConfig(query);
    const client = await this.#pool.connect();
    let broken = true;
    try {
      sendTogether(client);
      const sent = [client.query(this.#begin), client.query(config), client.query('commit')] as const;
      const [, result] = await Promise.all(sent);
      broken = false;
      return result.rows as Row[];
    } finally {
      client.release(broken);
    }
  }
}

/** Runs each statement on any connection of a pool, or on a connection. */
export function sessionOn(connection: pg.Pool | pg.ClientBase): TenantSession {
  return {
    query: async <Row>(query: Query<Row>) =>
      (await (connection as pg.ClientBase).query(queryConfig(query))).rows as Row[],
  };
}

/** PostgreSQL refuses a statement because one before it in the transaction failed (`in_failed_sql_transaction`). */
const refusedAfterFailure = '25P02';

/**
 * Does the work with a session on one connection. Rejects with the error of the statement that failed first, not of those that were sent
 * together with it: whether something is tried again depends on the cause. The session refuses statements once the work has ended, for
 * example one that the work sends after another part of it has failed: the connection may be in the transaction of another organization by
 * then.
 */
export async function withSession<T>(
  client: pg.PoolClient,
  work: (session: TenantSession) => Promise<T>,
): Promise<T> {
  let hasEnded = false;
  let cause: unknown;
  try {
    return await work({
      query: async <Row>(query: Query<Row>) => {
        if (hasEnded) throw new Error('a statement was sent after its transaction had ended');
        sendTogether(client);
        try {
          return (await client.query(queryConfig(query))).rows as Row[];
        } catch (error) {
          if (!isRefusedAfterFailure(error)) cause = error;
          throw error;
        }
      },
    });
  } catch (error) {
    throw cause !== undefined && isRefusedAfterFailure(error) ? cause : error;
  } finally {
    hasEnded = true;
  }
}

function isRefusedAfterFailure(error: unknown): boolean {
  return (error as { code?: string }).code === refusedAfterFailure;
}
