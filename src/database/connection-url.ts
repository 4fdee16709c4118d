import { parseIntoClientConfig } from 'pg-connection-string';
import type { ConnectionSettings } from './connection.ts';
import { type Host, Hosts, type SessionAttributes } from './hosts.ts';
import { StorageError } from './storage-error.ts';

/** The part of a URL's parameters that connections use. */
type Parsed = ConnectionSettings & { readonly pgbouncer?: string; readonly target_session_attrs?: string };

/** What connections may want (`target_session_attrs`), first what several hosts mean without it. */
const wantedFor = {
  writes: ['read-write', 'primary', 'any'],
  reads: ['standby', 'any'],
} as const;

/**
 * Parses the URL of a database, also with several hosts as libpq does. `pgbouncer=true` marks a pooler in transaction mode. Several hosts
 * mean the one that accepts writes or, for reads, a standby.
 *
 * @param variable where the URL is from
 * @throws StorageError that does not repeat the URL, since it contains a password
 */
export function connectionFromUrl(
  url: string,
  variable = 'DATABASE_URL',
  purpose: keyof typeof wantedFor = 'writes',
): ConnectionSettings {
  const all = urlsOf(url).map(each => parse(each, variable));
  const { host, port, user, password, database, ssl, pgbouncer, target_session_attrs: wanted } = all[0]!;
  const isPooled = pgbouncer !== undefined && pgbouncer !== 'false';
  if (isPooled && pgbouncer !== 'true') {
    throw new StorageError(`pgbouncer in ${variable} must be true or false`);
  }
  const permitted: readonly SessionAttributes[] = wantedFor[purpose];
  const attributes = permitted.find(attribute => attribute === (wanted ?? permitted[0]));
  if (attributes === undefined) {
    throw new StorageError(`target_session_attrs in ${variable} must be one of ${permitted.join(', ')}`);
  }
  const hosts =
    all.length > 1 || wanted !== undefined
      ? new Hosts(all.map(hostOf) as [Host, ...Host[]], attributes)
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
