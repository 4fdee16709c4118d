import { parseIntoClientConfig } from 'pg-connection-string';
import type { ConnectionSettings } from './connection.ts';
import { StorageError } from './storage-error.ts';

/** The part of a URL's parameters that connections use. */
type Parsed = ConnectionSettings & { readonly pgbouncer?: string };

/**
 * Parses the URL of a database. `pgbouncer=true` marks a pooler in transaction mode.
 *
 * @param variable where the URL is from
 * @throws StorageError that does not repeat the URL, since it contains a password
 */
export function connectionFromUrl(url: string, variable = 'DATABASE_URL'): ConnectionSettings {
  const { host, port, user, password, database, ssl, pgbouncer } = parse(url, variable);
  const isPooled = pgbouncer !== undefined && pgbouncer !== 'false';
  if (isPooled && pgbouncer !== 'true') {
    throw new StorageError(`pgbouncer in ${variable} must be true or false`);
  }
  return {
    host,
    port,
    user,
    password,
    database,
    ssl,
    ...(isPooled ? { isPooled } : {}),
  } as ConnectionSettings;
}

function parse(url: string, variable: string): Parsed {
  let settings: Parsed | undefined;
  try {
    if (/^postgres(ql)?:\/\//.test(url)) settings = parseIntoClientConfig(url) as Parsed;
  } catch (error) {
    // A certificate or a key that the URL names.
    const { syscall, path, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) {
      throw new StorageError(`${variable} names a file that cannot be read: ${path ?? 'a folder'} (${code})`);
    }
    // Refused below.
  }
  if (settings?.host && settings.database) return settings;
  throw new StorageError(`${variable} must read postgresql://user:password@host:port/database`);
}
