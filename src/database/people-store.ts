import type pg from 'pg';
import { Refusal } from '../domain/refusal.ts';
import { type Actor, type AuditEvent, auditStatement } from './audit.ts';
import { type Query, queryConfig } from './connection.ts';
import type { ConnectionLines, Place } from './connection-lines.ts';
import { isLockTimeout } from './error-codes.ts';
import { beginTransaction, runTransaction } from './run-transaction.ts';
import { type TenantSession, withSession } from './tenant-store.ts';

/** A transaction on people's accounts: changes and audit entries commit together. */
export interface PeopleTransaction extends TenantSession {
  /**
   * An entry in one organization's audit log. It is written together with the commit, without waiting: if the log is
   * locked, the entry is pending.
   */
  audit(organizationId: string, actor: Actor, event: AuditEvent): void;
}

/** What a transaction changes: a person's account, or the members of an organization. */
export type Concern = { readonly personId: string } | { readonly organizationId: string };

/** How a request uses a pool that it shares with others. */
export interface RequestShare {
  readonly lines: ConnectionLines;
  readonly person?: SignedIn;
  /** How long a transaction waits for a lock, in milliseconds. */
  readonly longestLockMs: number;
}

/** The person who is signed in, and the queue in which they wait for a connection. */
export type SignedIn = Place & { readonly person: string };

/**
 * READS ACROSS ORGANIZATIONS. People's accounts, sessions and memberships, with the system role, since people
 * belong to no organization before sign-in. All code that uses it is in this folder and names the person or
 * organization explicitly.
 */
export class PeopleStore implements TenantSession {
  readonly #pool: pg.Pool;
  readonly #share: RequestShare | undefined;

  /** @param share for requests, which must not block others; the operator and the service have none */
  constructor(pool: pg.Pool, share?: RequestShare) {
    this.#pool = pool;
    this.#share = share;
  }

  /** Runs one statement in its own transaction. */
  async query<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    const run = async () => (await this.#pool.query(queryConfig(query))).rows as Row[];
    const { lines, person } = this.#share ?? {};
    return lines && person ? lines.use(person, run) : run();
  }

  /**
   * Commits when `work` resolves, rolls back when it rejects. Do not call the network or hash passwords
   * inside. Throws `too_busy` without any change if locks or connections are not available in time.
   *
   * @param concern what `work` changes, unless it is the account of the person who is signed in
   */
  async transaction<T>(work: (transaction: PeopleTransaction) => Promise<T>, concern?: Concern): Promise<T> {
    if (!this.#share) return this.#run(work, beginTransaction);
    const { lines, person, longestLockMs } = this.#share;
    const run = () => this.#run(work, `${beginTransaction}; set local lock_timeout = ${longestLockMs}`);
    try {
      const line = await this.#lineOf(concern);
      return await (line === undefined ? run() : lines.use({ ...person, line }, run));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      throw new Refusal('too_busy', { retry_after_seconds: 1 }, { cause: error });
    }
  }

  #run<T>(work: (transaction: PeopleTransaction) => Promise<T>, begin: string): Promise<T> {
    return runTransaction(this.#pool, begin, (client, conclude) =>
      withSession(client, session =>
        work({
          ...session,
          audit(organizationId, actor, event) {
            conclude({
              text: "select set_config('parapet.organization_id', $1, true)",
              values: [organizationId],
            });
            conclude(auditStatement(actor, [event]));
          },
        }),
      ),
    );
  }

  /** Undefined for a change of no account by someone who is not signed in. */
  async #lineOf(concern: Concern | undefined): Promise<string | undefined> {
    const person = this.#share?.person;
    if (!concern || ('personId' in concern && concern.personId === person?.person)) return person?.line;
    if ('organizationId' in concern) return concern.organizationId;
    const [row] = await this.query<{ line: string }>({
      name: 'line-of-person',
      text: `select ${lineOf('$1::uuid')} as line`,
      values: [concern.personId],
    });
    return row!.line;
  }
}

/**
 * SQL of the queue shared by people with the same organizations. People without any share one for the
 * organizations that they left or, if there are none, for the one that invited them: an organization can
 * create any number of accounts, and these must not block others, including its own members.
 */
export function lineOf(personId: string): string {
  const organizations = (condition: string) =>
    `string_agg(organization_id::text, ',' order by organization_id) filter (where ${condition})`;
  return `(select coalesce(${organizations('left_at is null')}, concat('outside ', coalesce(${organizations('left_at is not null')},
      (select invited_by::text from people where id = ${personId}))))
    from memberships where person_id = ${personId})`;
}
