import { type Authority, parseAuthority } from './authority.ts';
import { ConnectionFailed } from './connection-failed.ts';

/** A parsed data source name. Drivers receive nothing else of it. */
export interface Dsn {
  readonly authority: Authority;
  /** Empty only if the form makes the login optional. */
  readonly user: string;
  /** May be empty: an account without a password is a finding, not an invalid DSN. */
  readonly password: string;
  readonly database: string | undefined;
  /** The DSN explicitly disables TLS. */
  readonly plaintext: boolean;
}

export interface DsnForm {
  readonly schemes: readonly string[];
  readonly defaultPort: number;
  /** Schemes that disable TLS. With them, no option does. */
  readonly plaintextSchemes?: readonly string[];
  /** A DSN may name no user, or neither user nor password. */
  readonly optionalLogin?: true;
  /** Databases have numbers instead of names. */
  readonly numberedDatabases?: true;
}

export const postgresForm: DsnForm = { schemes: ['postgres', 'postgresql'], defaultPort: 5432 };
export const mysqlForm: DsnForm = { schemes: ['mysql', 'mariadb'], defaultPort: 3306 };
/** https://www.iana.org/assignments/uri-schemes/prov/rediss, and the names that clients of Valkey use */
export const redisForm: DsnForm = {
  schemes: ['rediss', 'redis', 'valkeys', 'valkey'],
  defaultPort: 6379,
  plaintextSchemes: ['redis', 'valkey'],
  optionalLogin: true,
  numberedDatabases: true,
};

/**
 * TLS modes of both families. Modes that drivers interpret as "encrypt, but do not verify" or "if possible" are treated
 * as strict: the server's certificate is always verified.
 */
const tlsModes = new Map([
  ...['disable', 'disabled'].map(mode => [mode, false] as const),
  ...['allow', 'prefer', 'preferred', 'require', 'required'].map(mode => [mode, true] as const),
  ...['verify-ca', 'verify_ca', 'verify-full', 'verify_identity'].map(mode => [mode, true] as const),
]);

/**
 * Parses `scheme://user:password@host:port/database?sslmode=…`. Drivers' own parsers are not used, since they accept
 * other hosts, sockets and files to read from a DSN. Special characters in a user, a password or a database must be
 * percent-encoded; ambiguous DSNs are refused.
 *
 * @throws ConnectionFailed with `invalid_credential`, which does not quote the DSN
 */
export function parseDsn(text: string, form: DsnForm): Dsn {
  const match =
    /^([a-z]+):\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/i.exec(text);
  if (match === null || /[\s\u0000-\u001f\u007f\\]/.test(text)) throw invalid();
  const [, scheme = '', user = '', password = '', host = '', database = '', query = ''] = match;
  const authority = parseAuthority(host, form.defaultPort);
  const isKnown = form.schemes.includes(scheme.toLowerCase());
  if (!isKnown || authority === null || (user === '' && !form.optionalLogin)) throw invalid();
  if (form.numberedDatabases && !/^\d{0,5}$/.test(database)) throw invalid();
  return {
    authority,
    user: decode(user),
    password: decode(password),
    database: database === '' ? undefined : decode(database),
    plaintext: isPlaintext(form, scheme.toLowerCase(), query),
  };
}

function isPlaintext({ plaintextSchemes }: DsnForm, scheme: string, query: string): boolean {
  if (plaintextSchemes && query !== '') throw invalid();
  if (query === '') return plaintextSchemes?.includes(scheme) ?? false;
  const [[name = '', value = ''] = [], ...more] = [...new URLSearchParams(query)];
  const encrypted = tlsModes.get(value.toLowerCase());
  const isTlsMode = name === 'sslmode' || name === 'ssl-mode';
  if (!isTlsMode || encrypted === undefined || more.length > 0) throw invalid();
  return !encrypted;
}

/** Control characters end strings in the protocols of both families; after a NUL, more startup options could follow. */
function decode(part: string): string {
  let text: string;
  try {
    text = decodeURIComponent(part);
  } catch {
    throw invalid();
  }
  if (/[\u0000-\u001f\u007f]/.test(text)) throw invalid();
  return text;
}

function invalid(): ConnectionFailed {
  return new ConnectionFailed('invalid_credential');
}
