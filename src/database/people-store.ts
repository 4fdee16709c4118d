import type pg from 'pg';
import { Refusal } from '../domain/refusal.ts';
import { type Actor, type AuditEvent, auditStatement } from './audit.ts';
import { type Query, queryConfig, type Statement } from './connection.ts';
import type { ConnectionLines, Place } from './connection-lines.ts';
import { beginTransaction, runTransaction } from './run-transaction.ts';
import { sessionOn, type TenantSession } from './tenant-store.ts';

/** PostgreSQL's code where a lock was not to be had in time. */
const lockNotAvailable = '55P03';

/** A transaction over people's accounts: what it writes and its audit entries commit together. */
export interface PeopleTransaction extends TenantSession {
  /**
   * An entry in the audit log of one organization. It is written right before the commit, and waits for nobody: where the log is in
   * use, the entry is pending.
   */
  audit(organizationId: string, actor: Actor, event: AuditEvent): void;
}

/** What a transaction changes: the account of a person, or who belongs to an organization. */
export type Concern = { readonly personId: string } | { readonly organizationId: string };

/** How a request uses a pool that it shares with others. */
export interface RequestShare {
  readonly lines: ConnectionLines;
  readonly person?: SignedIn;
}

/** The person signed in, and where they wait for a connection. */
export type SignedIn = Place & { readonly person: string };

/** Sets the milliseconds for which a request's transaction waits for a lock. */
const beginRequest = `${beginTransaction}; set local lock_timeout = 2000`;

/**
 * LOOKS ACROSS ORGANIZATIONS. People's accounts, sessions and memberships, on the system role: whoever signs in belongs to
 * no organization yet. Everything that uses it is in this folder and names the person or the organization itself.
 */
export class PeopleStore implements TenantSession {
  readonly #pool: pg.Pool;
  readonly #share: RequestShare | undefined;

  /** @param share for a request, which others must not have to wait for; the operator and the service have none */
  constructor(pool: pg.Pool, share?: RequestShare) {
    this.#pool = pool;
    this.#share = share;
  }

  /** One statement as a transaction of its own. */
  async query<Row extends object = object>(query: Query<Row>): Promise<Row[]> {
    const run = async () => (await this.#pool.query(queryConfig(query))).rows as Row[];
    const { lines, person } = this.#share ?? {};
    return lines && person ? lines.use(person, run) : run();
  }

  /**
   * Commits when `work` resolves, rolls back when it rejects. No network call and no hashing of passwords inside. Throws
   * `too_busy`, and does nothing, where others have what it needs for too long.
   *
   * @param concern what `work` changes, where it is not the account of who is signed in
   */
  async transaction<T>(work: (transaction: PeopleTransaction) => Promise<T>, concern?: Concern): Promise<T> {
    if (!this.#share) return this.#run(work, beginTransaction);
    const { lines, person } = this.#share;
    const run = () => this.#run(work, beginRequest);
    try {
      const line = await this.#lineOf(concern);
      return await (line === undefined ? run() : lines.use({ ...person, line }, run));
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      throw new Refusal('too_busy', { retry_after_seconds: 1 }, { cause: error });
    }
  }

  #run<T>(work: (transaction: PeopleTransaction) => Promise<T>, begin: string): Promise<T> {
    return runTransaction(this.#pool, begin, async client => {
      const session = sessionOn(client);
      const entries: [organizationId: string, Statement][] = [];
      const result = await work({
        ...session,
        audit: (organizationId, actor, event) =>
          void entries.push([organizationId, auditStatement(actor, [event], 'record_audit')]),
      });
      // Last, since each log stays in use until the commit: who works in one organization waits for nothing of another.
      for (const [organizationId, entry] of entries) {
        await client.query("select set_config('parapet.organization_id', $1, true)", [organizationId]);
        await session.query(entry);
      }
      return result;
    });
  }

  /** Undefined where it changes nobody's account, for who is not signed in. */
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
 * SQL of the line in which the people wait who belong to the same organizations as the person. People who belong to none wait in one
 * beside that of the organizations that they have left or, where there are none, of the one that invited them: it can make any number
 * of accounts, which must take nothing from others, its own members included.
 */
export function lineOf(personId: string): string {
  const organizations = (condition: string) =>
    `string_agg(organization_id::text, ',' order by organization_id) filter (where ${condition})`;
  return `(select coalesce(${organizations('left_at is null')}, concat('outside ', coalesce(${organizations('left_at is not null')},
      (select invited_by::text from people where id = ${personId}))))
    from memberships where person_id = ${personId})`;
}
