import type { RiskStatement, SourceKind } from '../contract/sources.ts';

/** A changed text requires a new version: acceptances record the version. */
const statements: Record<SourceKind, RiskStatement> = {
  website: {
    version: '2',
    text: [
      'Parapet or a probe of yours will send GET and HEAD requests to this website, at most 60 in one scan and one at a time.',
      'They ask for ordinary pages and for a fixed list of paths that should not be public.',
      'Your logs and alarms will show them. Accept only for a website that you own or may test.',
    ].join(' '),
  },
  postgres: {
    version: '1',
    text: [
      'Parapet or a probe of yours will open read-only sessions on this PostgreSQL server and read its catalogs',
      'and settings, never the rows of your tables. A stored credential can do whatever its role may do: give it',
      'a role with the least privileges. Accept only for a server that you own or may test.',
    ].join(' '),
  },
  mysql: {
    version: '1',
    text: [
      'Parapet or a probe of yours will open read-only sessions on this MySQL or MariaDB server and read its',
      'settings and grants, never the rows of your tables. A stored credential can do whatever its account may',
      'do: give it an account with the least privileges. Accept only for a server that you own or may test.',
    ].join(' '),
  },
  redis: {
    version: '1',
    text: [
      'Parapet or a probe of yours will connect to this Redis or Valkey server, first without and then with the',
      'credential, and read its settings and users, never your keys or their values. A stored credential can do',
      'whatever its user may do: give it a user with the least privileges. Accept only for a server that you own',
      'or may test.',
    ].join(' '),
  },
  supabase: {
    version: '1',
    text: [
      'Parapet will ask this Supabase project what its anonymous role can see, by metadata and counts, never by',
      'rows. A service-role key passes every row-level security policy: store one only if you accept that risk.',
      'Accept only for a project that you own or may test.',
    ].join(' '),
  },
};

export function currentRiskStatement(kind: SourceKind): RiskStatement {
  return statements[kind];
}
