import pg from 'pg';
import type { Listed, PostgresCapture } from '../../src/captures/postgres.ts';
import { driftEvents, knownFacts } from '../../src/probe/drift.ts';
import { factsOf } from '../../src/scan/facts.ts';
import { startPostgresServer } from './postgres-server.ts';
import { authority, scanPostgres } from './scan-postgres.ts';

/** A PostgreSQL in which the role `builder`, which is no superuser, may create schemas. */
export interface BuiltPostgres {
  /** @param user `admin`, a superuser, or `builder`. The connection ends with the server */
  logIn(user: 'admin' | 'builder'): Promise<pg.Client>;
  /** What a scan of a superuser reads. */
  capture(): Promise<PostgresCapture>;
  close(): Promise<void>;
}

/**
 * @param programs the programs' folder of a PostgreSQL other than the embedded one
 * @param statements run by a superuser, after the role `builder` was made
 */
export async function startBuiltPostgres(
  programs: string | undefined,
  statements: string,
): Promise<BuiltPostgres> {
  const server = await startPostgresServer(authority.issue({ covers: ['127.0.0.1'] }), [], {
    ...(programs ? { programs } : {}),
    fill: async client => {
      await client.query(`alter role admin password 'x'; create role builder login password 'x';
        grant create on database postgres to builder; ${statements}`);
    },
  });
  const clients: pg.Client[] = [];
  return {
    logIn: async user => {
      const login = { host: '127.0.0.1', port: server.port, password: 'x', database: 'postgres' };
      const client = new pg.Client({ ...login, user });
      await client.connect();
      clients.push(client);
      return client;
    },
    capture: async () => (await scanPostgres(server.port, 'admin:x', 'postgres')).capture,
    close: async () => {
      await Promise.all(clients.map(client => client.end()));
      await server.close();
    },
  };
}

/** What a probe reports as changed between two assessments. */
export function changesBetween(before: PostgresCapture, now: PostgresCapture) {
  const known = knownFacts(undefined, factsOf('postgres', before));
  const factsAt = Object.fromEntries(Object.keys(known).map(area => [area, '2026-11-26T08:00:00Z']));
  const events = driftEvents(
    'source',
    { facts: known, factsAt },
    knownFacts(known, factsOf('postgres', now)),
  );
  return events.flatMap(event => (event.kind === 'probe.drift' ? event.changes : []));
}

/** The rows of a list, which was assessed. */
export function rowsOf<T>(list: Listed<T>): readonly T[] {
  if (!list.assessed) throw new Error(list.reason);
  return list.value.rows;
}
