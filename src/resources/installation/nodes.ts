import type pg from 'pg';
import { sessionOn, type TenantSession } from '../../database/tenant-store.ts';

/** Milliseconds for its statements: the database may not respond. */
const query_timeout = 5_000;

/** A node, from its start to its end. */
export interface Node {
  /** UUID, new at each start. */
  readonly id: string;
  readonly host: string;
  readonly role: 'all' | 'api' | 'worker';
  readonly version: string;
}

export interface ListedNode extends Node {
  readonly startedAt: string;
  readonly seenAt: string;
  readonly seenSecondsAgo: number;
}

/** The nodes of the installation. Each notes every few seconds that it runs. */
export class Nodes {
  readonly #session: TenantSession;

  /** @param pool of the system role */
  constructor(pool: pg.Pool) {
    this.#session = sessionOn(pool);
  }

  /** @param seconds since the node started: times are those of the database’s clock */
  async note({ id, host, role, version }: Node, seconds: number): Promise<void> {
    await this.#session.query({
      text: `insert into nodes (id, host, role, version, started_at) values ($1, $2, $3, $4, now() - make_interval(secs => $5))
        on conflict (id) do update set version = excluded.version, seen_at = now()`,
      values: [id, host, role, version, seconds],
      query_timeout,
    });
  }

  async remove({ id }: Pick<Node, 'id'>): Promise<void> {
    await this.#session.query({ text: 'delete from nodes where id = $1', values: [id], query_timeout });
  }

  /** Removes nodes that have not been seen for an hour. */
  async forget(): Promise<void> {
    await this.#session.query({ text: "delete from nodes where seen_at < now() - interval '1 hour'" });
  }

  /** In the order of their start. */
  list(): Promise<ListedNode[]> {
    return this.#session.query({
      text: `select id, host, role, version, started_at as "startedAt", seen_at as "seenAt",
          extract(epoch from now() - seen_at)::float8 as "seenSecondsAgo"
        from nodes order by started_at, id`,
    });
  }
}
