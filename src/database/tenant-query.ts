import pg from 'pg';
import { type Query, queryConfig } from './connection.ts';

/** The name of the statement that is prepared on each connection for `TenantQuery`. */
const bindOrganization = 'bind-organization';

/** Milliseconds after which PostgreSQL cancels the statement. */
const longestMs = 1_000;

/** Prepares a connection for `TenantQuery`. */
export async function prepareForTenants(client: pg.PoolClient): Promise<void> {
  await client.query({
    name: bindOrganization,
    // Both end with the transaction: a pooler may give the session to others. The time starts again with the next statement.
    text: `select set_config('parapet.organization_id', $1, true), set_config('statement_timeout', '${longestMs}', true)`,
    values: [''],
  });
}

/** The driver's connection as its queries use it; the types leave it out. */
interface Wire {
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(): void;
}

/** The driver's query with the methods that it calls; the types leave them out. */
const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  done: (error: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
};

/**
 * One statement of an organization, in its own transaction and without waiting for the statements before it. PostgreSQL runs
 * all messages before the next Sync in one transaction (Frontend/Backend Protocol, Pipelining), so the organization that the first
 * message sets is that of this statement only.
 */
export class TenantQuery extends DriverQuery {
  readonly #organizationId: string;
  #isBound = false;

  constructor(
    organizationId: string,
    query: Query,
    done: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    // The simple protocol cannot bind the organization.
    super({ ...queryConfig(query), queryMode: 'extended' } as pg.QueryConfig, done);
    this.#organizationId = organizationId;
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: bindOrganization, values: [this.#organizationId] });
    wire.execute();
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isBound) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isBound) super.handleCommandComplete(message, wire);
    else this.#isBound = true;
  }
}
