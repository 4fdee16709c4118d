import type {
  Listed,
  PostgresCapture,
  PostgresHbaRule,
  PostgresPolicy,
  PostgresRelation,
  PostgresRole,
} from '../../captures/postgres.ts';

/** The capture of a server for which no check fails; golden cases change one part. */

export const listed = <T>(...rows: T[]) => ({ assessed: true as const, value: { rows, truncated: false } });
export const truncated = <T>(...rows: T[]): Listed<T> => ({
  assessed: true,
  value: { rows, truncated: true },
});
export const notRead = (reason = 'Reading it needs a privilege.') => ({ assessed: false as const, reason });

const hardenedSettings: Readonly<Record<string, string>> = {
  ssl: 'on',
  ssl_min_protocol_version: 'TLSv1.2',
  listen_addresses: '10.1.2.3',
  password_encryption: 'scram-sha-256',
  log_connections: 'on',
  log_disconnections: 'on',
  log_statement: 'ddl',
  log_line_prefix: '%m [%p] %q%u@%d %h ',
  log_destination: 'stderr',
  logging_collector: 'on',
  log_file_mode: '0600',
  debug_print_parse: 'off',
  debug_print_rewritten: 'off',
  debug_print_plan: 'off',
  shared_preload_libraries: 'pgaudit',
  'pgaudit.log': 'ddl, role, write',
  'pgaudit.role': '',
  data_checksums: 'on',
  fsync: 'on',
  archive_mode: 'on',
  statement_timeout: '60000',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
};

/** Settings of the hardened server with changes; null omits one, like a server that hides it. */
function settingsWith(changes: Readonly<Record<string, string | null>>): PostgresCapture['settings'] {
  return Object.entries({ ...hardenedSettings, ...changes }).map(([name, value]) => ({
    name,
    value: value === null ? notRead() : { assessed: true, value },
  }));
}

export function hbaRule(changes: Partial<PostgresHbaRule> = {}): PostgresHbaRule {
  return {
    type: 'hostssl',
    databases: ['clinic'],
    users: ['app'],
    address: '10.0.0.0',
    netmask: '255.0.0.0',
    method: 'scram-sha-256',
    client_certificate: false,
    broken: false,
    ...changes,
  };
}

/** A login role of the hardened server. */
export function role(name: string, changes: Partial<PostgresRole> = {}): PostgresRole {
  return {
    name,
    bootstrap: false,
    superuser: false,
    can_log_in: true,
    create_role: false,
    create_db: false,
    replication: false,
    bypass_rls: false,
    connection_limit: 20,
    expires: true,
    valid_until: '2027-01-01T00:00:00',
    has_members: false,
    owns_relations: false,
    member_of: [],
    memberships_hash: null,
    ...changes,
  };
}

/** Attributes of a superuser, as created by `initdb` and by services. */
export const superuser = {
  superuser: true,
  create_role: true,
  create_db: true,
  replication: true,
  bypass_rls: true,
  connection_limit: -1,
  expires: false,
  valid_until: null,
} as const;

/** The superuser created by `initdb`. Its name identifies a managed service. */
export const firstSuperuser = (name: string) => role(name, { bootstrap: true, ...superuser });
export const bootstrap = firstSuperuser('postgres');

export function relation(changes: Partial<PostgresRelation> = {}): PostgresRelation {
  return {
    schema: 'public',
    name: 'visits',
    kind: 'table',
    row_security: true,
    security_invoker: false,
    access: [],
    bypasses_row_security: false,
    reads_schemas: [],
    ...changes,
  };
}

export function policy(changes: Partial<PostgresPolicy> = {}): PostgresPolicy {
  return {
    schema: 'public',
    relation: 'visits',
    name: 'own rows',
    row_security: true,
    permissive: true,
    command: 'all',
    roles: ['PUBLIC'],
    using: 'other',
    check: 'other',
    ...changes,
  };
}

/** A role's privileges on a relation. */
export function access(name: string, may: { write?: boolean; truncate?: boolean; read?: boolean } = {}) {
  return { role: name, read: true, write: false, truncate: false, ...may };
}

/** The hardened server's capture with some parts replaced. An API serves its schema public. */
export function captureWith(
  changes: Partial<PostgresCapture> & { readonly changed?: Readonly<Record<string, string | null>> } = {},
): PostgresCapture {
  const { changed = {}, ...parts } = changes;
  return {
    collected_at: '2026-11-21T08:00:00.000Z',
    server: {
      version: '18.4',
      banner: 'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
      in_recovery: false,
      database: 'clinic',
      reader: 'parapet_reader',
      reader_is_superuser: false,
    },
    settings: settingsWith(changed),
    overrides: listed({ role: 'authenticator', database: null, name: 'pgrst.db_schemas', value: 'public' }),
    hba_rules: listed(
      hbaRule({
        type: 'local',
        databases: ['all'],
        users: ['all'],
        address: null,
        netmask: null,
        method: 'peer',
      }),
      hbaRule(),
    ),
    hba_changed: { assessed: true, value: false },
    plaintext_sessions: listed(),
    roles: listed(bootstrap, role('app'), role('anon', { can_log_in: false, connection_limit: -1 })),
    password_kinds: listed({ role: 'postgres', kind: 'none' }, { role: 'app', kind: 'scram' }),
    grants: listed({ name: 'table public.t', hash: '1' }),
    row_security_hashes: listed({ name: 'row security of public.visits', hash: '1' }),
    schemas: listed({ name: 'public', public_may_create: false }),
    relations: listed(relation({ access: [access('anon')] })),
    columns: listed(),
    policies: listed(policy()),
    definer_functions: listed(),
    untrusted_languages: listed(),
    extensions: listed({ name: 'plpgsql', installed: '1.0', available: '1.0' }),
    user_mappings: listed(),
    archiver: { assessed: true, value: { failing: false, has_physical_slot: false } },
    checksum_failures: listed(),
    ...parts,
  };
}

/** Only the first query was answered. */
export const nothingRead: PostgresCapture = {
  ...captureWith(),
  settings: [],
  overrides: notRead(),
  hba_rules: notRead(),
  hba_changed: notRead(),
  plaintext_sessions: notRead(),
  roles: notRead(),
  password_kinds: notRead(),
  schemas: notRead(),
  grants: notRead(),
  row_security_hashes: notRead(),
  relations: notRead(),
  columns: notRead(),
  policies: notRead(),
  definer_functions: notRead(),
  untrusted_languages: notRead(),
  extensions: notRead(),
  user_mappings: notRead(),
  archiver: notRead(),
  checksum_failures: notRead(),
};
