import type pg from 'pg';
import { permittedConnections } from '../../database/permitted-connections.ts';
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
  /** The most connections to PostgreSQL; null if a pooler shares them, or the node’s release does not say. */
  readonly connections: number | null;
}

/** Nodes may use more connections than PostgreSQL permits, so that some could get none. */
export interface Overcommitment {
  readonly nodes: number;
  /** The most connections that they use together. */
  readonly most: number;
  readonly permitted: number;
}

/** Seconds without a note after which a node does not count as running. */
export const silentSeconds = 30;

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
  async note({ id, host, role, version, connections }: Node, seconds: number): Promise<void> {
    await this.#session.query({
      text: `insert into nodes (id, host, role, version, started_at, connections)
          values ($1, $2, $3, $4, now() - make_interval(secs => $5), $6)
        on conflict (id) do update set version = excluded.version, seen_at = now()`,
      values: [id, host, role, version, seconds, connections],
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
      text: `select id, host, role, version, started_at as "startedAt", seen_at as "seenAt", connections,
          extract(epoch from now() - seen_at)::float8 as "seenSecondsAgo"
        from nodes order by started_at, id`,
    });
  }

  /** Undefined if PostgreSQL permits the connections of all nodes that run. */
  async overcommitment(): Promise<Overcommitment | undefined> {
    const [row] = await this.#session.query<{ nodes: number; most: number }>({
      text: `select count(connections)::int as nodes, coalesce(sum(connections), 0)::int as most
        from nodes where seen_at > now() - make_interval(secs => $1)`,
      values: [silentSeconds],
      query_timeout,
    });
    const permitted = await permittedConnections(this.#session);
    return row!.most > permitted ? { ...row!, permitted } : undefined;
  }
}
