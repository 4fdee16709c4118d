import type { RiskStatement, SourceKind } from '../contract/sources.ts';

/**
 * What a scan of each kind sends and reads; `docs/scanning.md` and `docs/databases` have the details. A changed text requires a new
 * version: acceptances record the version.
 */
const statements: Record<SourceKind, RiskStatement> = {
  website: {
    version: '3',
    text: [
      'Parapet or a probe of yours will send GET requests to this website: at most 60 per scan, one at a time,',
      'for its pages, its scripts and paths that should not be public, such as /.env. About a dozen TLS handshakes',
      'test versions and ciphers. Your logs and alarms will show both. Full scans send more, and require proof of your',
      'domain.',
      'Accept only for a website that you own or may test.',
    ].join(' '),
  },
  postgres: {
    version: '2',
    text: [
      'Parapet or a probe of yours will connect to this PostgreSQL server and read its catalogs, settings and',
      'sessions in a read-only transaction, never the rows of your tables. A stored credential can do whatever its',
      'role may do: use a role with the least privileges. Accept only for a server that you own or may test.',
    ].join(' '),
  },
  mysql: {
    version: '2',
    text: [
      'Parapet or a probe of yours will connect to this MySQL or MariaDB server and read its settings, accounts and',
      'sessions in a read-only transaction, never the rows of your tables. A stored credential can do whatever its',
      'account may do: use an account with the least privileges. Accept only for a server that you own or may test.',
    ].join(' '),
  },
  redis: {
    version: '2',
    text: [
      'Parapet or a probe of yours will connect to this Redis or Valkey server, send PING without a login, then log',
      'in and read its settings, users and modules, never your keys or their values. A stored credential can do',
      'whatever its user may do: use a user with the least privileges. Accept only for a server that you own or may',
      'test.',
    ].join(' '),
  },
  supabase: {
    version: '2',
    text: [
      'Parapet or a probe of yours will send GET and HEAD requests to the API of this Supabase project: at most 400',
      'per scan, one at a time, with your keys, and as an anonymous user to test what is public. No response contains',
      'rows of your tables. A service-role key bypasses row-level security: store one only if you accept that risk.',
      'Accept only for a project that you own or may test.',
    ].join(' '),
  },
};

export function currentRiskStatement(kind: SourceKind): RiskStatement {
  return statements[kind];
}
