import type pg from 'pg';
import type { Role } from '../contract/dashboard/session.ts';
import { BatchedLookup, LookupRefused } from '../database/batched-lookup.ts';
import { sessionOn, type TenantSession } from '../database/tenant-store.ts';
import { allowedAddresses } from '../domain/allowed-addresses.ts';
import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ApiKey } from './keys/api-keys.ts';
import { type ChangeLimit, countChanges } from './people/change-counts.ts';
import {
  findRoles,
  findSessions,
  isToken,
  type OpenSession,
  type RoleQuestion,
  type SessionQuestion,
} from './people/sessions.ts';

/** Connections for batches: one each for keys, sessions and roles. If there are fewer than four, they wait for each other. */
const batched = 3;

/** Milliseconds that such a query waits for a connection. */
const longestWaitMs = 4_000;

type ApiKeyRow = Omit<ApiKey, 'allowsAddress'> & { readonly allowed_addresses: string[] };

/**
 * READS ACROSS ORGANIZATIONS. Finds keys, sessions and links before a request is authenticated. Anyone can cause these
 * queries, so they have their own pool, in which each kind has a share.
 */
export class Lookups {
  readonly #keys: BatchedLookup<string, ApiKey>;
  readonly #sessions: BatchedLookup<SessionQuestion, OpenSession>;
  readonly #roles: BatchedLookup<RoleQuestion, Role | null>;
  readonly #session: TenantSession;
  readonly #unproven: Permits;
  readonly #counting: Permits;

  /** @param connections of the pool */
  constructor(pool: pg.Pool, connections: number) {
    const session = sessionOn(pool);
    this.#unproven = oneOfEachHolder(Math.max(1, connections - batched));
    this.#counting = oneOfEachHolder(1);
    this.#session = session;
    this.#keys = new BatchedLookup(
      ids => findApiKeys(session, ids),
      id => id,
    );
    this.#sessions = new BatchedLookup(
      questions => findSessions(session, questions),
      ({ token, organizationId }) => `${token} ${organizationId}`,
    );
    this.#roles = new BatchedLookup(
      questions => findRoles(session, questions),
      ({ sessionId, renewals, organizationId }) => `${sessionId} ${renewals} ${organizationId}`,
    );
  }

  /**
   * The immutable part of a key, active or not; undefined if there is none with this id, `lookups_full` if too many unknown ids are
   * being looked up.
   */
  findApiKey(id: string): Promise<ApiKey | 'lookups_full' | undefined> {
    return this.#keys.find(id).catch(error => {
      if (error instanceof LookupRefused) return 'lookups_full';
      throw error;
    });
  }

  /**
   * The open session, with the role in the organization if one is given. Throws `too_many_attempts` if too many are
   * being looked up.
   */
  findSession(token: string, organizationId: string | null): Promise<OpenSession | undefined> {
    const refuse = () => new Refusal('too_many_attempts', { retry_after_seconds: 1 });
    if (!isToken(token)) return Promise.resolve(undefined);
    return this.#sessions.find({ token, organizationId }).catch(whenRefused(refuse));
  }

  /** See `findRoles`. Throws `too_busy`. */
  findRole(question: RoleQuestion): Promise<Role | null | undefined> {
    return this.#roles.find(question).catch(whenRefused(tooBusy));
  }

  /**
   * Counts changes that a person makes toward a limit of a holder, see `countChanges`. One statement at a time, so that it waits neither
   * for transactions nor for the changes that others have queued. Throws `too_many_changes` and `too_busy`.
   */
  countChanges(personId: string, limit: ChangeLimit, holder: string, changes = 1): Promise<void> {
    return this.#counting.use({ holder: personId }, () =>
      countChanges(this.#session, limit, holder, changes),
    );
  }

  /**
   * For unauthenticated queries, such as by the token of a link. One at a time per network, so that a flood does not
   * block other networks or sign-ins. Throws `too_busy`.
   *
   * @param network of the client
   */
  unproven(network: string): TenantSession {
    return {
      query: statement => this.#unproven.use({ holder: network }, () => this.#session.query(statement)),
    };
  }
}

function oneOfEachHolder(atOnce: number): Permits {
  return new Permits({
    atOnce,
    perHolder: 1,
    // Waits instead of refusing at once, since a flood would return at once.
    waitingPerHolder: 1_000,
    longestWaitMs,
    refusal: tooBusy,
  });
}

function tooBusy(): Refusal {
  return new Refusal('too_busy', { retry_after_seconds: 1 });
}

const whenRefused = (refusal: () => Refusal) => (error: unknown) => {
  throw error instanceof LookupRefused ? refusal() : error;
};

async function findApiKeys(session: TenantSession, ids: readonly string[]): Promise<(ApiKey | undefined)[]> {
  const rows = await session.query<ApiKeyRow>({
    name: 'find-api-keys',
    text: `select id, organization_id as "organizationId", kind, system_id as "systemId", token_hash as "tokenHash",
        public_key as "publicKey", scopes, allowed_addresses from api_keys where id = any($1::uuid[])`,
    values: [ids],
  });
  const keys = new Map(
    rows.map(({ allowed_addresses, ...key }) => [
      key.id,
      { ...key, allowsAddress: allowedAddresses(allowed_addresses) },
    ]),
  );
  return ids.map(id => keys.get(id));
}
