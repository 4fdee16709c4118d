import type { PostgresCapture, PostgresOverride } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { bootstrap, captureWith, firstSuperuser, listed, nothingRead, role } from '../hardened-capture.ts';
import { configurationChecks } from './checks.ts';

const id = (name: string) => `postgres.${name}`;
const all = Object.values(configurationChecks).map(check => check.id);
type Flaw = readonly [check: string, setting: string, value: string];
const flaws: readonly Flaw[] = [
  ['tls_ciphers_weak', 'ssl_ciphers', 'ALL:RC4'],
  ['tls_ciphers_weak', 'ssl_prefer_server_ciphers', 'off'],
  ['tls_ciphers_weak', 'ssl_ecdh_curve', 'prime192v1'],
  ['tls_ciphers_weak', 'ssl_groups', 'X25519:secp160r1'],
  ['damage_ignored', 'zero_damaged_pages', 'on'],
  ['damage_ignored', 'data_sync_retry', 'on'],
  ['damage_ignored', 'ignore_checksum_failure', 'on'],
  ['damage_ignored', 'ignore_invalid_pages', 'on'],
  ['damage_ignored', 'ignore_system_indexes', 'on'],
  ['protection_disabled', 'allow_system_table_mods', 'on'],
  ['protection_disabled', 'allow_in_place_tablespaces', 'on'],
  ['protection_disabled', 'session_replication_role', 'replica'],
  ['protection_disabled', 'row_security', 'off'],
  ['protection_disabled', 'event_triggers', 'off'],
  ['protection_disabled', 'check_function_bodies', 'off'],
  ['protection_disabled', 'escape_string_warning', 'off'],
  ['protection_disabled', 'lo_compat_privileges', 'on'],
  ['protection_disabled', 'standard_conforming_strings', 'off'],
  ['protection_disabled', 'backslash_quote', 'on'],
  ['protection_disabled', 'db_user_namespace', 'on'],
  ['protection_disabled', 'krb_caseins_users', 'on'],
  ['protection_disabled', 'gss_accept_delegation', 'on'],
  ['scram_iterations_low', 'scram_iterations', '1000'],
  ['authentication_timeout_long', 'authentication_timeout', '600'],
  ['library_path_unsafe', 'dynamic_library_path', '$libdir:/tmp/lib'],
  ['library_path_unsafe', 'dynamic_library_path', ''],
  ['library_path_unsafe', 'extension_control_path', '/dev/shm/ext:$system'],
  ['library_path_unsafe', 'shared_preload_libraries', 'passwordcheck, auth_delay, set_user, /tmp/evil.so'],
  ['library_path_unsafe', 'session_preload_libraries', '"/dev/shm/x"'],
  ['library_path_unsafe', 'local_preload_libraries', '../x'],
  ['password_in_setting', 'primary_conninfo', 'secret'],
  ['password_in_setting', 'archive_command', 'secret'],
  ['password_in_setting', 'restore_command', 'secret'],
  ['password_in_setting', 'ssl_passphrase_command', 'secret'],
  ['resource_limit_off', 'superuser_reserved_connections', '0'],
  ['resource_limit_off', 'temp_file_limit', '-1'],
  ['unix_socket_open', 'unix_socket_permissions', '0777'],
  ['unix_socket_open', 'unix_socket_directories', '/var/run/postgresql, /tmp'],
];
/** Values that are as safe as the default. */
const fine: Readonly<Record<string, string>> = {
  ssl_ciphers: 'ECDHE-RSA-AES256-GCM-SHA384',
  scram_iterations: '100000',
  authentication_timeout: '10',
  dynamic_library_path: '$libdir:/usr/lib/pgsql',
  shared_preload_libraries: '$libdir/passwordcheck, auth_delay, set_user, /usr/lib/postgresql/18/lib/x.so',
  unix_socket_permissions: '0700',
  primary_conninfo: 'set',
  backslash_quote: 'off',
  ssl_ecdh_curve: 'X25519:prime256v1',
};
const overridden = (...some: Partial<PostgresOverride>[]) =>
  captureWith({
    overrides: listed(...some.map(one => ({ role: 'app', database: null, name: '', value: '', ...one }))),
  });

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  ...flaws.map(([check, setting, value]) => ({
    name: `${setting} = '${value}'`,
    capture: captureWith({ changed: { [setting]: value } }),
    expected: [{ check: id(check), locator: setting }],
  })),
  ...Object.entries(fine).map(([setting, value]) => ({
    name: `${setting} = '${value}', which is fine`,
    capture: captureWith({ changed: { [setting]: value } }),
    expected: [],
  })),
  {
    name: 'the default ciphers',
    capture: captureWith({ changed: { ssl_ciphers: 'HIGH:MEDIUM:+3DES:!aNULL' } }),
    expected: [{ check: id('tls_ciphers_weak'), locator: 'ssl_ciphers', severity: 'info' }],
  },
  {
    name: 'no TLS, so no ciphers',
    capture: captureWith({ changed: { ssl: 'off', ssl_ciphers: 'ALL' } }),
    expected: [],
    notAssessed: [id('tls_ciphers_weak')],
  },
  {
    name: 'no modules',
    capture: captureWith({ changed: { shared_preload_libraries: '' } }),
    expected: [
      { check: id('password_checks_missing'), locator: 'shared_preload_libraries' },
      { check: id('security_module_missing'), locator: 'auth_delay' },
      { check: id('security_module_missing'), locator: 'set_user' },
    ],
  },
  {
    name: 'no Unix socket',
    capture: captureWith({ changed: { unix_socket_directories: '', unix_socket_permissions: '0777' } }),
    expected: [],
    notAssessed: [id('unix_socket_open')],
  },
  {
    name: 'weaker settings of roles and databases',
    capture: overridden(
      { name: 'session_replication_role', value: 'replica' },
      { name: 'row_security', value: 'off', database: 'clinic' },
      { name: 'pgaudit.log', value: 'none', role: null, database: 'clinic' },
      { name: 'password_encryption', value: 'md5' },
      { name: 'zero_damaged_pages', value: 'true' },
    ),
    expected: [
      { check: id('override_weakens'), locator: 'password_encryption of role app' },
      { check: id('override_weakens'), locator: 'pgaudit.log of database clinic' },
      {
        check: id('override_weakens'),
        locator: 'row_security of role app in database clinic',
        severity: 'low',
      },
      { check: id('override_weakens'), locator: 'session_replication_role of role app' },
      { check: id('override_weakens'), locator: 'zero_damaged_pages of role app', severity: 'high' },
    ],
  },
  {
    name: 'other settings of roles and databases',
    capture: overridden(
      { name: 'statement_timeout', value: '30s' },
      { name: 'row_security', value: 'on' },
      { name: 'log_statement', value: 'all' },
      { name: 'search_path', value: '"$user", public' },
    ),
    expected: [],
  },
  {
    name: 'a search path with a schema for everyone',
    capture: {
      ...overridden({ name: 'search_path', value: 'app, "public"' }),
      schemas: listed({ name: 'public', public_may_create: true, api_creators: [] }),
    },
    expected: [{ check: id('override_weakens'), locator: 'search_path of role app', severity: 'low' }],
  },
  {
    name: 'an older version without some settings',
    capture: {
      ...captureWith(),
      settings: captureWith().settings.map(({ name, value }) =>
        ['scram_iterations', 'ssl_groups', 'gss_accept_delegation', 'extension_control_path'].includes(name)
          ? {
              name,
              value: { assessed: false as const, reason: 'The server has no such setting.' },
              absent: true,
            }
          : { name, value },
      ),
    },
    expected: [],
    notAssessed: [id('scram_iterations_low')],
  },
  {
    name: 'a managed service decides most of it',
    capture: captureWith({
      roles: listed(firstSuperuser('rdsadmin'), role('app')),
      changed: {
        ssl_prefer_server_ciphers: 'off',
        shared_preload_libraries: 'rdsutils',
        unix_socket_permissions: '0777',
        archive_command: 'secret',
        temp_file_limit: '-1',
        lo_compat_privileges: 'on',
      },
    }),
    expected: [{ check: id('protection_disabled'), locator: 'lo_compat_privileges' }],
    notAssessed: [
      ...['damage_ignored', 'library_path_unsafe', 'password_checks_missing', 'password_in_setting'],
      ...['resource_limit_off', 'security_module_missing', 'unix_socket_open'],
    ].map(id),
  },
  {
    name: 'a role that may not read hidden settings',
    capture: captureWith({
      roles: listed(bootstrap),
      changed: {
        ssl_ciphers: null,
        dynamic_library_path: null,
        shared_preload_libraries: null,
        primary_conninfo: null,
        zero_damaged_pages: 'on',
      },
    }),
    expected: [{ check: id('damage_ignored'), locator: 'zero_damaged_pages' }],
    notAssessed: [
      ...['library_path_unsafe', 'password_checks_missing', 'password_in_setting'],
      ...['security_module_missing', 'tls_ciphers_weak'],
    ].map(id),
  },
  { name: 'nothing could be read', capture: nothingRead, expected: [], notAssessed: all },
];
