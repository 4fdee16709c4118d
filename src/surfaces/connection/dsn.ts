import { type Authority, parseAuthority } from './authority.ts';
import { ConnectionFailed } from './connection-failed.ts';

/** What a data source name says. Nothing else of it reaches a driver. */
export interface Dsn {
  readonly authority: Authority;
  readonly user: string;
  /** May be empty: an account without a password is a finding, not a mistake of whoever wrote the DSN. */
  readonly password: string;
  readonly database: string | undefined;
  /** The DSN turns TLS off in so many words. */
  readonly plaintext: boolean;
}

export interface DsnForm {
  readonly schemes: readonly string[];
  readonly defaultPort: number;
}

export const postgresForm: DsnForm = { schemes: ['postgres', 'postgresql'], defaultPort: 5432 };
export const mysqlForm: DsnForm = { schemes: ['mysql', 'mariadb'], defaultPort: 3306 };

/**
 * TLS modes of both families. Those that drivers take for "encrypt, but do not verify" or "if you can" are read as
 * the strict one: the server always has to prove its name.
 */
const tlsModes = new Map([
  ...['disable', 'disabled'].map(mode => [mode, false] as const),
  ...['allow', 'prefer', 'preferred', 'require', 'required'].map(mode => [mode, true] as const),
  ...['verify-ca', 'verify_ca', 'verify-full', 'verify_identity'].map(mode => [mode, true] as const),
]);

/**
 * Reads `scheme://user:password@host:port/database?sslmode=…`. Every part is spelled out here and not left to a
 * driver's parser, since those take overrides of the host, sockets and files to read from a DSN. Special characters
 * in a user, a password or a database must be percent-encoded: what splits in two ways is refused.
 *
 * @throws ConnectionFailed with `invalid_credential`, which does not repeat the DSN.
 */
export function parseDsn(text: string, form: DsnForm): Dsn {
  const match = /^([a-z]+):\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/i.exec(
    text,
  );
  if (match === null || /[\s\u0000-\u001f\u007f\\]/.test(text)) throw invalid();
  const [, scheme = '', user = '', password = '', host = '', database = '', query = ''] = match;
  const authority = parseAuthority(host, form.defaultPort);
  if (!form.schemes.includes(scheme.toLowerCase()) || authority === null) throw invalid();
  return {
    authority,
    user: decode(user),
    password: decode(password),
    database: database === '' ? undefined : decode(database),
    plaintext: asksForPlaintext(query),
  };
}

function asksForPlaintext(query: string): boolean {
  if (query === '') return false;
  const [[name = '', value = ''] = [], ...more] = [...new URLSearchParams(query)];
  const encrypted = tlsModes.get(value.toLowerCase());
  const isTlsMode = name === 'sslmode' || name === 'ssl-mode';
  if (!isTlsMode || encrypted === undefined || more.length > 0) throw invalid();
  return !encrypted;
}

/** Control characters end strings in the protocols of both families; behind a NUL come further start-up options. */
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
