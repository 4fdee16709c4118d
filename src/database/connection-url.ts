import { parseIntoClientConfig } from 'pg-connection-string';
import type { ConnectionSettings } from './connection.ts';
import { type Host, Hosts, type SessionAttributes, sessionAttributes } from './hosts.ts';
import { StorageError } from './storage-error.ts';

/** The part of a URL's parameters that connections use. */
type Parsed = ConnectionSettings & { readonly pgbouncer?: string; readonly target_session_attrs?: string };

/** Those of servers that may refuse writes. */
const forReads: readonly SessionAttributes[] = ['read-only', 'standby', 'prefer-standby'];

/**
 * Parses the URL of a database, also with several hosts as libpq does. `pgbouncer=true` marks a pooler in transaction mode. Several hosts
 * without `target_session_attrs` mean the one that accepts writes.
 *
 * @param variable where the URL is from
 * @throws StorageError that does not repeat the URL, since it contains a password
 */
export function connectionFromUrl(url: string, variable = 'DATABASE_URL'): ConnectionSettings {
  const all = urlsOf(url).map(each => parse(each, variable));
  const { host, port, user, password, database, ssl, pgbouncer, target_session_attrs: wanted } = all[0]!;
  const isPooled = pgbouncer !== undefined && pgbouncer !== 'false';
  if (isPooled && pgbouncer !== 'true') {
    throw new StorageError(`pgbouncer in ${variable} must be true or false`);
  }
  if (wanted !== undefined && !isAttribute(wanted)) {
    throw new StorageError(
      `target_session_attrs in ${variable} must be one of ${sessionAttributes.join(', ')}`,
    );
  }
  if (wanted !== undefined && forReads.includes(wanted)) {
    throw new StorageError(
      `${variable} must lead to a server that accepts writes: target_session_attrs must be read-write, primary or any`,
    );
  }
  const hosts =
    all.length > 1 || wanted !== undefined
      ? new Hosts(all.map(hostOf) as [Host, ...Host[]], wanted ?? 'read-write')
      : undefined;
  return {
    host,
    port,
    user,
    password,
    database,
    ssl,
    ...(hosts ? { hosts } : {}),
    ...(isPooled ? { isPooled } : {}),
  } as ConnectionSettings;
}

const hostOf = ({ host, port }: Parsed): Host => ({ host: host!, port });

const isAttribute = (name: string): name is SessionAttributes =>
  (sessionAttributes as readonly string[]).includes(name);

/** The same URL with each of its hosts alone. */
function urlsOf(url: string): string[] {
  const [, before, hosts, rest] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map(host => `${before}${host}${rest}`);
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
  if (settings?.host && settings.database && !settings.host.includes(',')) return settings;
  throw new StorageError(`${variable} must read postgresql://user:password@host:port/database`);
}
