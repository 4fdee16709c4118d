import pg from 'pg';
import { Permits } from '../domain/permits.ts';
import { type ConnectionSettings, openPool, type Statement } from './connection.ts';
import { limitsOfShares } from './connection-shares.ts';
import { DatabaseUnavailable, isOutage } from './outages.ts';
import { runTransaction } from './run-transaction.ts';
import { type ReadReplica, type TenantSession, withSession } from './tenant-store.ts';

/** How old what a read finds may be, in milliseconds. */
const oldestMs = 1_000;

/** Between samples, in milliseconds. */
const everyMs = 200;

/** For the wait for a connection, and for each statement, in milliseconds: then the primary answers instead. */
const longestMs = 2_000;

/** Samples for the measurement of the lag: a minute. */
const mostSamples = 300;

/** How far a server has the write-ahead log, in bytes, and the history that it belongs to. */
interface Position {
  readonly position: number;
  /** The same in all copies, also after it was renamed. */
  readonly database: string;
  readonly cluster: string;
  readonly timeline: number;
}

/** A position of the primary. It includes everything that was committed before `at`, in milliseconds of the process clock. */
type Sample = Position & { readonly at: number };

export interface ReplicaStatus {
  /** How many seconds it is behind the primary, exact to a quarter; undefined while that is unknown. */
  readonly lagSeconds: number | undefined;
  /** Why it is not used, if not for its lag. */
  readonly problem: string | undefined;
  /** Whether reads use it. */
  readonly isUsable: boolean;
  /** Reads that used it, and those that used the primary instead. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

export interface ReplicaListener {
  /** Called when reads begin to use the primary because of a problem that is not a lag. */
  failed(reason: string): void;
  /** Called when they use the replica again. */
  recovered(): void;
}

interface ReplicaOptions {
  /** Rejects with `DatabaseUnavailable` during an outage. */
  readonly primary: pg.Pool;
  /** To the replica, with the app role. */
  readonly connection: ConnectionSettings;
  readonly connections: number;
  readonly listener?: ReplicaListener | undefined;
}

/** The replica has not what it should, or no connection was free in time. */
class NotUsable extends Error {
  override readonly name = 'NotUsable';
}

/**
 * A standby for reads that may be a second old. Each read checks, in its own transaction, that the standby has everything that the primary had
 * a second before, and is of the same history: a proxy may lead to another standby each time, or to one that still follows a former
 * primary. A read that finds less is done by the primary.
 */
export class Replica implements ReadReplica {
  readonly #options: ReplicaOptions;
  readonly #pool: pg.Pool;
  readonly #shares: Permits;
  readonly #samples: Sample[] = [];
  readonly #reads = { replica: 0, primary: 0 };
  #lagSeconds: number | undefined;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { connection, connections } = options;
    const limits = { mostMs: longestMs, connectMs: longestMs };
    this.#pool = openPool(connection, 'parapet-replica', connections, limits);
    this.#shares = new Permits({
      ...limitsOfShares(connections),
      waitingPerHolder: Number.POSITIVE_INFINITY,
      longestWaitMs: longestMs,
      refusal: () => new NotUsable(),
    });
  }

  get status(): ReplicaStatus {
    const [lagSeconds, problem, isUsable] = [this.#lagSeconds, this.#problem, this.#floor() !== undefined];
    return { lagSeconds, problem, isUsable, reads: { ...this.#reads } };
  }

  /** Samples the position of the primary from now on. Ends after the first time, and never rejects. */
  async start(): Promise<void> {
    await this.#sample().catch(error => this.#report(String(error)));
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.start(), everyMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#pool.end();
  }

  async read<T>(
    organizationId: string,
    work: (session: TenantSession) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const floor = this.#floor();
    let read: { readonly result: T } | undefined;
    if (floor) {
      const reading = this.#shares.use({ holder: organizationId }, () =>
        this.#readFrom(floor, organizationId, work),
      );
      read = await reading.catch(error => {
        if (!isOfReplica(error)) throw error;
        return undefined;
      });
    }
    this.#reads[read ? 'replica' : 'primary'] += 1;
    return read;
  }

  /** What the replica must have; undefined if it is known not to have it. */
  #floor(): Sample | undefined {
    if (this.#problem !== undefined || (this.#lagSeconds ?? Number.POSITIVE_INFINITY) * 1_000 > oldestMs) {
      return undefined;
    }
    const since = performance.now() - oldestMs;
    return this.#samples.find(({ at }) => at >= since);
  }

  #readFrom<T>(
    floor: Position,
    organizationId: string,
    work: (session: TenantSession) => Promise<T>,
  ): Promise<{ readonly result: T }> {
    const begin = `begin isolation level read committed read only; set local statement_timeout = ${longestMs};
      set local parapet.organization_id = '${organizationId}'`;
    return runTransaction(this.#pool, begin, (client, conclude) =>
      withSession(client, async session => {
        const reached = session.query<StandbyPosition>({
          name: 'position-of-standby',
          text: positionOfStandby,
        });
        // Not awaited yet: it is sent together with the first statement of the work.
        const worked = work(session);
        await Promise.allSettled([reached, worked]);
        const [standby] = await reached;
        // Also if the work has failed: it may have missed what the primary has.
        if (problemOf(standby!, floor) || standby!.position < floor.position) throw new NotUsable();
        conclude(stillStandby);
        return { result: await worked };
      }),
    );
  }

  async #sample(): Promise<void> {
    const at = performance.now();
    const [ofPrimary, ofStandby] = await Promise.allSettled([
      this.#options.primary.query<Position>({ text: positionOfPrimary }),
      this.#pool.query<StandbyPosition>({
        text: positionOfStandby,
        query_timeout: oldestMs,
      } as pg.QueryConfig),
    ]);
    if (this.#isClosed) return;
    if (ofPrimary.status === 'rejected') {
      // Of an outage, which is reported elsewhere, nothing follows for the replica.
      if (ofPrimary.reason instanceof DatabaseUnavailable) this.#lagSeconds = undefined;
      else this.#report(messageOf(ofPrimary.reason));
      return;
    }
    const sample = { ...ofPrimary.value.rows[0]!, at };
    this.#samples.push(sample);
    if (this.#samples.length > mostSamples) this.#samples.shift();
    if (ofStandby.status === 'rejected') return this.#report(messageOf(ofStandby.reason));
    const standby = ofStandby.value.rows[0]!;
    this.#report(problemOf(standby, sample));
    if (this.#problem === undefined) this.#measure(standby.position);
  }

  #measure(reached: number): void {
    const newest = this.#samples.findLast(({ position }) => position <= reached);
    const since = newest ?? this.#samples[0]!;
    this.#lagSeconds = (performance.now() - since.at) / 1_000;
  }

  #report(problem: string | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (problem !== undefined) this.#lagSeconds = undefined;
    if (problem !== undefined && before === undefined) this.#options.listener?.failed(problem);
    if (problem === undefined && before !== undefined) this.#options.listener?.recovered();
  }
}

const messageOf = (error: unknown) => (error as Error).message;

/** What a standby has replayed, and 0 for a primary. */
type StandbyPosition = Position & { readonly isStandby: boolean };

const database =
  "coalesce((select oid::text from pg_database where datname = current_database()), '') as database";

const positionOfPrimary = `select ${database}, (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as position,
  (select system_identifier::text from pg_control_system()) as cluster,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

// The timeline is noted at a restartpoint, some minutes after the standby has begun to follow another primary.
const positionOfStandby = `select ${database}, pg_is_in_recovery() as "isStandby",
  coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::bigint as position,
  (select system_identifier::text from pg_control_system()) as cluster,
  (select greatest(min_recovery_end_timeline, (select timeline_id from pg_control_checkpoint())) from pg_control_recovery()) as timeline`;

/** Fails on a server that was promoted during the read. */
const stillStandby: Statement = { name: 'still-standby', text: 'select 1 / pg_is_in_recovery()::int' };

function problemOf(standby: StandbyPosition, primary: Position): string | undefined {
  if (standby.cluster !== primary.cluster) return 'it is not a copy of the primary';
  if (standby.database !== primary.database) return 'it is another database of the primary';
  if (!standby.isStandby) return 'it is no standby';
  if (standby.timeline !== primary.timeline) {
    return `it follows timeline ${standby.timeline}, and the primary is on ${primary.timeline}`;
  }
  return undefined;
}

/** Whether the primary may succeed where the replica failed. */
function isOfReplica(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof NotUsable || isOutage(error);
}
