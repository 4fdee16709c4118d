import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { assertWorksIn } from './own-server.ts';

/** Every process that uses the server has this advisory lock in shared mode. In ASCII: PARA, PG. */
const LOCK = [0x50415241, 0x5047] as const;

/** The address on which a server listens. */
export interface Address {
  /** The folder of its unix socket. */
  readonly host: string;
  readonly port: number;
}

/** A process's lease of the running server: one open connection. */
export interface Lease {
  /** The server's version, such as `18.4`. */
  readonly version: string;
  /** Releases the lease. True if there is no other one: then none can be taken until `end`. */
  release(): Promise<boolean>;
  /** Closes the connection. */
  end(): Promise<void>;
}

/**
 * Takes a lease of the server of `cluster`, which listens at `address`. The lock is in the database
 * `postgres`, so that Parapet's database can be dropped and restored while Parapet runs.
 *
 * @param onLost called once if the connection ends without `end`: the server died or was stopped by another
 * process
 * @throws the driver's error if the server does not respond, or stops meanwhile
 * @throws PrivatePostgresError if it is the server of another cluster
 */
export async function takeLease(
  cluster: string,
  address: Address,
  password: string,
  onLost: (cause: Error) => void,
): Promise<Lease> {
  const client = new pg.Client({
    ...address,
    user: SUPERUSER,
    password,
    database: 'postgres',
    application_name: 'parapet lease',
    connectionTimeoutMillis: 10_000,
  });
  let held = false;
  const lose = (cause: Error) => {
    if (held) onLost(cause);
    held = false;
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection to PostgreSQL ended')));
  let version: string;
  try {
    await client.connect();
    await assertWorksIn(cluster, client);
    // Waits while another process is stopping the server, and then fails with it.
    await client.query('select pg_advisory_lock_shared($1, $2)', [...LOCK]);
    const { rows } = await client.query<{ version: string }>(
      `select split_part(current_setting('server_version'), ' ', 1) as version`,
    );
    version = rows[0]!.version;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  held = true;
  return {
    version,
    async release() {
      if (!held) return false;
      held = false;
      try {
        await client.query('select pg_advisory_unlock_shared($1, $2)', [...LOCK]);
        const { rows } = await client.query<{ last: boolean }>(
          'select pg_try_advisory_lock($1, $2) as last',
          [...LOCK],
        );
        return rows[0]!.last;
      } catch {
        // The server has stopped meanwhile, so there is nothing left to stop.
        return false;
      }
    },
    async end() {
      held = false;
      await client.end().catch(() => undefined);
    },
  };
}
