import type { Actor } from '../database/audit.ts';
import type { ConnectionSettings } from '../database/connection.ts';
import { ConnectionLines } from '../database/connection-lines.ts';
import { forgetIdempotentRequests } from '../database/idempotent-requests.ts';
import { type FailedJob, JobQueue } from '../database/jobs/job-queue.ts';
import { DatabaseUnavailable, type OutageListener, Outages } from '../database/outages.ts';
import { PeopleStore, type SignedIn } from '../database/people-store.ts';
import type { PoolUse } from '../database/pool-meter.ts';
import type { Replica } from '../database/replica.ts';
import { RequestGuard, sweepNonces } from '../database/request-guard.ts';
import { type RequestTerms, type TenantConnections, TenantStore } from '../database/tenant-store.ts';
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
import { type PoolOptions, Pools } from './pools.ts';
import { type KeyUse, SystemStore } from './system-store.ts';

export interface StorageOptions extends PoolOptions {
  /** Without a pooler in between, to be notified of jobs; undefined if there is no such way. Default `connection`. */
  readonly direct?: ConnectionSettings | undefined;
  readonly keyRing: KeyRing;
  readonly parts?: NodeParts;
  readonly onError: (error: unknown) => void;
  /** Called when an attempt of a job failed, except for an outage of the database. */
  readonly onFailedJob?: (error: unknown, job: FailedJob) => void;
  readonly onOutage?: OutageListener;
  readonly onCommitted?: OnCommitted | undefined;
}

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
  readonly #pools: Pools;
  readonly #connections: TenantConnections;
  readonly #reading = new ConnectionLines(reading);
  readonly #signingIn: PeopleStore;
  #closing: Promise<void> | undefined;

  constructor(options: StorageOptions) {
    const { connection, roles, parts = { processes: 1 }, works, keyRing } = options;
    const { onOutage = { began() {}, ended() {} } } = options;
    const sizes = poolSizes(parts, works);
    this.outages = new Outages(() => this.system.ping(), onOutage);
    const pools = new Pools(options, sizes, this.outages);
    this.#pools = pools;
    const { organizations, lists: shared, replica } = pools;
    this.#connections = { ...organizations, shared, replica, onCommitted: options.onCommitted };
    this.system = new SystemStore(pools.system);
    this.nodes = new Nodes(pools.system);
    this.people = new PeopleStore(pools.signingIn.pool);
    this.#signingIn = new PeopleStore(pools.signingIn.pool, pools.signingIn.share);
    this.guard = new RequestGuard(pools.guard, { processes: parts.processes });
    this.events = new EventStore(pools.events);
    this.lookups = new Lookups(pools.lookups, sizes.lookups);
    this.keyRing = keyRing;
    this.vault = new CredentialVault(keyRing);
    const direct = 'direct' in options ? options.direct : connection;
    this.jobs = new JobQueue({
      pool: pools.jobs,
      direct: direct && { ...direct, ...roles.system },
      works,
      onError: error => {
        if (!this.outages.covers(error)) options.onError(error);
      },
      onFailed: (error, job) => {
        if (!(error instanceof DatabaseUnavailable)) options.onFailedJob?.(error, job);
      },
    });
  }

  async start(): Promise<void> {
    await this.#pools.start();
    await this.jobs.start();
  }

  /** The use of the connections of this process to the primary. */
  get pools(): readonly PoolUse[] {
    return this.#pools.uses;
  }

  /** Undefined if reads use the primary alone. */
  get replica(): Replica | undefined {
    return this.#pools.replica;
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
    const { pool, share } = this.#pools.signedIn;
    return new PeopleStore(pool, { ...share, person });
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
    await sweepNonces(this.#pools.system);
    await forgetOldSignIns(this.people);
    await forgetIdempotentRequests(this.people);
    await sweepEvents(this.#pools.system);
    await this.system.forgetShieldCounts();
    await this.system.forgetMessages();
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
    await this.#pools.close();
  }
}
