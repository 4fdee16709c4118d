import type pg from 'pg';
import type { Actor } from '../database/audit.ts';
import { type ConnectionSettings, openPool } from '../database/connection.ts';
import { ConnectionLines, type LineLimits } from '../database/connection-lines.ts';
import { forgetIdempotentRequests } from '../database/idempotent-requests.ts';
import { type FailedJob, JobQueue } from '../database/jobs/job-queue.ts';
import { DatabaseUnavailable, type OutageListener, Outages } from '../database/outages.ts';
import { PeopleStore, type RequestShare, type SignedIn } from '../database/people-store.ts';
import { PoolMeter, type PoolUse } from '../database/pool-meter.ts';
import { RequestGuard, sweepNonces } from '../database/request-guard.ts';
import type { RoleLogin, Roles } from '../database/roles.ts';
import { SharedConnections } from '../database/shared-connections.ts';
import {
  connectionShares,
  limitsOfShares,
  type RequestTerms,
  type TenantConnections,
  TenantStore,
} from '../database/tenant-store.ts';
import type { OnCommitted } from '../domain/committed-events.ts';
import type { Applicant } from '../domain/permits.ts';
import type { KeyRing } from './credentials/key-ring.ts';
import { settleMasterKeys } from './credentials/missing-keys.ts';
import { type Rotation, rotateMasterKey } from './credentials/rotate.ts';
import { CredentialVault } from './credentials/vault.ts';
import { EventStore } from './events/event-store.ts';
import { sweepEvents } from './events/sweep-events.ts';
import { Nodes } from './installation/nodes.ts';
import { Lookups } from './lookups.ts';
import { forgetOldSignIns } from './people/forget.ts';
import { type NodeParts, poolSizes } from './pool-sizes.ts';
import { type KeyUse, SystemStore } from './system-store.ts';

interface YieldedPool {
  readonly pool: string;
  readonly connections: number;
  /** Connections that it may open. */
  readonly most: number;
  readonly error: Error;
}

export interface StorageOptions {
  readonly connection: ConnectionSettings;
  /** Without a pooler in between, to be notified of jobs; undefined if there is no such way. Default `connection`. */
  readonly direct?: ConnectionSettings | undefined;
  readonly roles: Roles;
  readonly keyRing: KeyRing;
  /** Whether this process runs jobs. */
  readonly works: boolean;
  readonly parts?: NodeParts;
  /** Whether it keeps a connection for each purpose from the start on, so that other nodes cannot take them all. Default false. */
  readonly keepsConnections?: boolean;
  /** How long requests on people's accounts wait for a lock, in milliseconds. Default 2000. */
  readonly longestLockMs?: number;
  readonly onError: (error: unknown) => void;
  /** Called when an attempt of a job failed, except for an outage of the database. */
  readonly onFailedJob?: (error: unknown, job: FailedJob) => void;
  readonly onOutage?: OutageListener;
  /** Called when PostgreSQL permits fewer connections than a pool may open, which then manages with those it has. */
  readonly onYield?: (yielded: YieldedPool) => void;
  readonly onCommitted?: OnCommitted | undefined;
}

interface PurposeOptions {
  /** Milliseconds for a query. */
  readonly mostMs?: number;
  /** See `YieldListener`. */
  readonly onCapacity?: (connections: number) => void;
}

/** Milliseconds for a query before a request is admitted. */
const admissionMs = 10_000;

/** Connections for people's accounts, with the limits of request transactions. */
const ofAccounts = { ofOnePerson: 2, longestWaitMs: 4_000 };
/** One connection, if there are several, remains for the operator and the service itself. */
const signingIn = (connections: number) => {
  const atOnce = Math.max(1, connections - 1);
  return { atOnce, ofOneLine: Math.ceil(atOnce / 2) };
};
const signedIn = (connections: number) => ({
  atOnce: connections,
  ofOneLine: Math.ceil(connections / 2),
  reserved: Math.max(1, Math.floor(connections / 3)),
});

/**
 * People's reads have no rate limit, so slow ones must not use all CPUs. The connections are also shared by
 * organization.
 */
const reading = { atOnce: Number.POSITIVE_INFINITY, ofOneLine: 3, ofOnePerson: 2, longestWaitMs: 30_000 };

/** All storage of the service, opened with the logins returned by `migrate`. */
export class Storage {
  readonly system: SystemStore;
  /** For the operator and the service itself; requests use `peopleFor`. */
  readonly people: PeopleStore;
  readonly guard: RequestGuard;
  readonly events: EventStore;
  readonly lookups: Lookups;
  readonly jobs: JobQueue;
  readonly nodes: Nodes;
  readonly outages: Outages;
  readonly vault: CredentialVault;
  readonly keyRing: KeyRing;
  readonly #connections: TenantConnections;
  readonly #reading: ConnectionLines;
  readonly #signingIn: PeopleStore;
  readonly #signedIn: { readonly pool: pg.Pool; readonly share: RequestShare };
  readonly #systemPool: pg.Pool;
  readonly #pools: pg.Pool[] = [];
  readonly #keepsConnections: boolean;
  readonly #meters: PoolMeter[] = [];
  #closing: Promise<void> | undefined;

  constructor(options: StorageOptions) {
    const {
      connection,
      roles,
      parts = { processes: 1 },
      works,
      keepsConnections = false,
      onOutage = { began() {}, ended() {} },
    } = options;
    this.#keepsConnections = keepsConnections;
    const sizes = poolSizes(parts, works);
    this.outages = new Outages(() => this.system.ping(), onOutage);
    const metered = (name: string, pool: pg.Pool) => {
      this.#meters.push(new PoolMeter(name, pool));
      return pool;
    };
    const min = keepsConnections ? 1 : 0;
    const yielding = (
      login: RoleLogin,
      purpose: string,
      most: number,
      { mostMs, onCapacity }: PurposeOptions = {},
    ) => {
      const name = purpose.replace('-', '_');
      const onYield = (connections: number, error: Error) =>
        options.onYield?.({ pool: name, connections, most, error });
      const application = purpose === 'organizations' ? 'parapet' : `parapet-${purpose}`;
      const yielding = { onYield, ...(onCapacity ? { onCapacity } : {}) };
      const pool = openPool({ ...connection, ...login }, application, most, { min, mostMs, yielding });
      return metered(name, this.outages.watch(pool));
    };
    const lists = () => openPool({ ...connection, ...roles.app }, 'parapet-lists', sizes.lists);
    const shares = connectionShares(sizes.app);
    this.#connections = {
      pool: yielding(roles.app, 'organizations', sizes.app, {
        onCapacity: connections => shares.limit(limitsOfShares(connections)),
      }),
      shares,
      shared: connection.isPooled
        ? undefined
        : new SharedConnections(metered('lists', lists()), this.outages),
      onCommitted: options.onCommitted,
    };
    this.#reading = new ConnectionLines(reading);
    // Each purpose has a pool, since unauthenticated requests must never occupy the guard's connection.
    const systemPool = (purpose: string, most: number, purposeOptions?: PurposeOptions) =>
      yielding(roles.system, purpose, most, purposeOptions);
    this.#systemPool = systemPool('system', sizes.system);
    const sharedPool = (purpose: string, most: number, limits: (connections: number) => LineLimits) => {
      const lines = new ConnectionLines({ ...limits(most), ...ofAccounts });
      const onCapacity = (connections: number) => lines.limit(limits(connections));
      const share: RequestShare = { lines, longestLockMs: options.longestLockMs ?? 2_000 };
      return { pool: systemPool(purpose, most, { onCapacity }), share };
    };
    const people = sharedPool('people', sizes.signingIn, signingIn);
    this.#signingIn = new PeopleStore(people.pool, people.share);
    // Signing in must not wait for requests of signed-in people.
    this.#signedIn = sharedPool('signed-in', sizes.signedIn, signedIn);
    const guard = systemPool('guard', 1, { mostMs: admissionMs });
    const events = systemPool('events', 1);
    const lookups = systemPool('lookups', sizes.lookups, { mostMs: admissionMs });
    this.#pools.push(
      this.#connections.pool,
      this.#systemPool,
      people.pool,
      this.#signedIn.pool,
      guard,
      events,
      lookups,
    );
    this.system = new SystemStore(this.#systemPool);
    this.nodes = new Nodes(this.#systemPool);
    this.people = new PeopleStore(people.pool);
    this.guard = new RequestGuard(guard, { processes: parts.processes });
    this.events = new EventStore(events);
    this.lookups = new Lookups(lookups, sizes.lookups);
    this.keyRing = options.keyRing;
    this.vault = new CredentialVault(options.keyRing);
    const direct = 'direct' in options ? options.direct : connection;
    this.jobs = new JobQueue({
      connection: { ...connection, ...roles.system },
      direct: direct && { ...direct, ...roles.system },
      works,
      connections: sizes.jobs,
      onError: error => {
        if (!this.outages.covers(error)) options.onError(error);
      },
      onFailed: (error, job) => {
        if (!(error instanceof DatabaseUnavailable)) options.onFailedJob?.(error, job);
      },
    });
  }

  async start(): Promise<void> {
    if (this.#keepsConnections) await Promise.all(this.#pools.map(pool => pool.query('select')));
    await this.jobs.start();
  }

  /** The use of the connections of this process. The job queue has others. */
  get pools(): readonly PoolUse[] {
    return this.#meters.map(({ use }) => use);
  }

  /** The rows of one organization, with this actor. */
  tenant(organizationId: string, actor: Actor, terms: RequestTerms = {}): TenantStore {
    return new TenantStore(this.#connections, this.jobs, organizationId, actor, terms);
  }

  /**
   * The same for a request of a person, whose reads are queued.
   *
   * @param signal aborts a wait that is no longer needed
   */
  tenantFor(
    person: string,
    { holder: organizationId, signal }: Applicant,
    actor: Actor,
    terms: Omit<RequestTerms, 'inLine'>,
  ): TenantStore {
    const place = { line: organizationId, person, signal };
    const inLine = <T>(read: () => Promise<T>) => this.#reading.use(place, read);
    return this.tenant(organizationId, actor, { ...terms, inLine });
  }

  /**
   * People's accounts, for a request. Signed-in people and others have separate shares of connections.
   *
   * @param person the signed-in person; undefined if there is none
   */
  peopleFor(person: SignedIn | undefined): PeopleStore {
    if (person === undefined) return this.#signingIn;
    return new PeopleStore(this.#signedIn.pool, { ...this.#signedIn.share, person });
  }

  /** See `settleMasterKeys`; with this actor. */
  settleMasterKeys(actor: Actor): Promise<readonly KeyUse[]> {
    const tenant = (id: string) => this.tenant(id, actor);
    return settleMasterKeys({ system: this.system, ring: this.keyRing, tenant });
  }

  /** See `rotateMasterKey`; with this actor. */
  rotateMasterKey(actor: Actor, onProgress: (rewrapped: number) => void): Promise<Rotation> {
    const tenant = (id: string) => this.tenant(id, actor);
    return rotateMasterKey({
      system: this.system,
      people: this.people,
      ring: this.keyRing,
      tenant,
      onProgress,
    });
  }

  async sweep(): Promise<void> {
    await sweepNonces(this.#systemPool);
    await forgetOldSignIns(this.people);
    await forgetIdempotentRequests(this.people);
    await sweepEvents(this.#systemPool);
    await this.system.forgetShieldCounts();
    await this.nodes.forget();
  }

  /** Gives running jobs `graceSeconds` to finish, then closes every connection. Idempotent. */
  close(graceSeconds = 5): Promise<void> {
    this.#closing ??= this.#close(graceSeconds);
    return this.#closing;
  }

  async #close(graceSeconds: number): Promise<void> {
    this.outages.close();
    await this.jobs.stop(graceSeconds);
    await Promise.all([this.#connections.shared?.close(), ...this.#pools.map(pool => pool.end())]);
  }
}
