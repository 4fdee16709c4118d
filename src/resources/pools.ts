import type pg from 'pg';
import { type ConnectionSettings, openPool } from '../database/connection.ts';
import { ConnectionLines, type LineLimits } from '../database/connection-lines.ts';
import { connectionShares, limitsOfShares } from '../database/connection-shares.ts';
import type { Outages } from '../database/outages.ts';
import type { RequestShare } from '../database/people-store.ts';
import { PoolMeter, type PoolUse } from '../database/pool-meter.ts';
import { Replica, type ReplicaListener } from '../database/replica.ts';
import type { RoleLogin, Roles } from '../database/roles.ts';
import { SharedConnections } from '../database/shared-connections.ts';
import type { Permits } from '../domain/permits.ts';
import type { PoolSizes } from './pool-sizes.ts';

interface YieldedPool {
  readonly pool: string;
  readonly connections: number;
  /** Connections that it may open. */
  readonly most: number;
  readonly error: Error;
}

export interface PoolOptions {
  readonly connection: ConnectionSettings;
  /** A standby for reads that may be a second old. */
  readonly replica?: ConnectionSettings | undefined;
  readonly roles: Roles;
  /** Whether this process runs jobs. */
  readonly works: boolean;
  /** Whether it keeps a connection for each purpose but lists from the start on, so that other nodes cannot take them all. Default false. */
  readonly keepsConnections?: boolean;
  /** How long requests on people's accounts wait for a lock, in milliseconds. Default 2000. */
  readonly longestLockMs?: number;
  /** Called when PostgreSQL permits fewer connections than a pool may open, which then manages with those it has. */
  readonly onYield?: (yielded: YieldedPool) => void;
  readonly onReplica?: ReplicaListener;
}

/** Milliseconds for a query before a request is admitted. */
const admissionMs = 10_000;

/** Connections for people's accounts, with the limits of request transactions. */
const ofAccounts = { ofOnePerson: 2, longestWaitMs: 4_000 };
/** One connection, if there are several, remains for the operator and the service itself. */
const signingIn = (connections: number): LineLimits => {
  const atOnce = Math.max(1, connections - 1);
  return { atOnce, ofOneLine: Math.ceil(atOnce / 2) };
};
const signedIn = (connections: number): LineLimits => ({
  atOnce: connections,
  ofOneLine: Math.ceil(connections / 2),
  reserved: Math.max(1, Math.floor(connections / 3)),
});

interface Purpose {
  readonly login: RoleLogin;
  readonly purpose: string;
  readonly most: number;
  /** Milliseconds for a query. */
  readonly mostMs?: number;
  /** Whether a connection may be kept. Default true. */
  readonly isKept?: boolean;
  /** See `YieldListener`. */
  readonly onCapacity?: (connections: number) => void;
}

/**
 * The connections of one process: a pool for each purpose, since unauthenticated requests, for example, must never occupy the guard's
 * connection.
 */
export class Pools {
  /** Tenant-bound work, with the shares of organizations. */
  readonly organizations: { readonly pool: pg.Pool; readonly shares: Permits };
  /** For lists of the signed API. Undefined behind a pooler. */
  readonly lists: SharedConnections | undefined;
  readonly system: pg.Pool;
  readonly signingIn: { readonly pool: pg.Pool; readonly share: RequestShare };
  /** Signing in must not wait for requests of signed-in people. */
  readonly signedIn: { readonly pool: pg.Pool; readonly share: RequestShare };
  readonly guard: pg.Pool;
  readonly events: pg.Pool;
  readonly lookups: pg.Pool;
  /** Of the queue, in a worker. Others open none: they send jobs in transactions of other pools. */
  readonly jobs: pg.Pool;
  readonly replica: Replica | undefined;
  readonly #options: PoolOptions;
  readonly #outages: Outages;
  readonly #pools: pg.Pool[] = [];
  readonly #kept: pg.Pool[] = [];
  readonly #meters: PoolMeter[] = [];

  constructor(options: PoolOptions, sizes: PoolSizes, outages: Outages) {
    this.#options = options;
    this.#outages = outages;
    const { connection, roles, replica, onReplica } = options;
    this.organizations = this.#openOrganizations(sizes.app);
    this.lists = connection.isPooled ? undefined : this.#openLists(sizes.lists);
    const system = { login: roles.system };
    this.system = this.#open({ ...system, purpose: 'system', most: sizes.system });
    this.signingIn = this.#openForPeople('people', sizes.signingIn, signingIn);
    this.signedIn = this.#openForPeople('signed-in', sizes.signedIn, signedIn);
    this.guard = this.#open({ ...system, purpose: 'guard', most: 1, mostMs: admissionMs });
    this.events = this.#open({ ...system, purpose: 'events', most: 1 });
    this.lookups = this.#open({ ...system, purpose: 'lookups', most: sizes.lookups, mostMs: admissionMs });
    this.jobs = this.#open({ ...system, purpose: 'jobs', most: sizes.jobs, isKept: options.works });
    this.replica =
      replica &&
      new Replica({
        primary: this.system,
        connection: { ...replica, ...roles.app },
        connections: sizes.app,
        listener: onReplica,
      });
  }

  /** The use of the connections to the primary. */
  get uses(): readonly PoolUse[] {
    return this.#meters.map(({ use }) => use);
  }

  async start(): Promise<void> {
    await Promise.all(this.#kept.map(pool => pool.query('select')));
    // Reads use the primary until it has answered.
    void this.replica?.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.replica?.close(), this.lists?.close(), ...this.#pools.map(pool => pool.end())]);
  }

  #openOrganizations(most: number) {
    const shares = connectionShares(most);
    const onCapacity = (connections: number) => shares.limit(limitsOfShares(connections));
    const { app: login } = this.#options.roles;
    return { pool: this.#open({ login, purpose: 'organizations', most, onCapacity }), shares };
  }

  #openForPeople(purpose: string, most: number, limits: (connections: number) => LineLimits) {
    const lines = new ConnectionLines({ ...limits(most), ...ofAccounts });
    const onCapacity = (connections: number) => lines.limit(limits(connections));
    const { roles, longestLockMs = 2_000 } = this.#options;
    return {
      pool: this.#open({ login: roles.system, purpose, most, onCapacity }),
      share: { lines, longestLockMs },
    };
  }

  #openLists(most: number): SharedConnections {
    const { connection, roles } = this.#options;
    const pool = openPool({ ...connection, ...roles.app }, 'parapet-lists', most);
    this.#meters.push(new PoolMeter('lists', pool));
    return new SharedConnections(pool, this.#outages);
  }

  #open({ login, purpose, most, mostMs, onCapacity, isKept = true }: Purpose): pg.Pool {
    const { connection, keepsConnections = false, onYield } = this.#options;
    const name = purpose.replace('-', '_');
    const yielding = {
      onYield: (connections: number, error: Error) => onYield?.({ pool: name, connections, most, error }),
      ...(onCapacity ? { onCapacity } : {}),
    };
    const application = purpose === 'organizations' ? 'parapet' : `parapet-${purpose}`;
    const min = keepsConnections && isKept ? 1 : 0;
    const pool = openPool({ ...connection, ...login }, application, most, { min, mostMs, yielding });
    this.#pools.push(pool);
    if (min > 0) this.#kept.push(pool);
    this.#meters.push(new PoolMeter(name, this.#outages.watch(pool)));
    return pool;
  }
}
