import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { PostgresMembership, PostgresSpecialObject } from '../../../captures/postgres-rights.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  bootstrap,
  captureWith,
  database,
  firstSuperuser,
  listed,
  nothingRead,
  role,
} from '../hardened-capture.ts';
import { privilegesChecks } from './checks.ts';

const grant = (
  member: string,
  of: string,
  changes: Partial<PostgresMembership> = {},
): PostgresMembership => ({
  role: of,
  member,
  admin: false,
  inherits: true,
  can_set: true,
  ...changes,
});
const group = (name: string) => role(name, { can_log_in: false, has_members: true });
const members = (...memberships: PostgresMembership[]) =>
  captureWith({
    roles: listed(
      bootstrap,
      role('app'),
      group('staff'),
      group('unused'),
      role('anon', { can_log_in: false, has_members: true, of_api: true }),
      role('authenticator'),
      role('parapet_reader'),
    ),
    memberships: listed(...memberships),
  });
const functions = (...some: [name: string, role: string][]) =>
  captureWith({ privileged_functions: listed(...some.map(([name, who]) => ({ name, role: who }))) });
const special = (kind: PostgresSpecialObject['kind'], name: string, detail = '', who: string | null = null) =>
  captureWith({ special_objects: listed({ kind, name, detail, role: who, owner: 'app' }) });
const inSchema = 'tables of app in schema public';

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'a member of the first superuser',
    capture: members(grant('app', 'postgres')),
    expected: [{ check: 'postgres.superuser_member', locator: 'role app in postgres' }],
  },
  {
    name: 'a group in a superuser: each login of the group is one way, the grant one finding',
    capture: members(grant('staff', 'postgres', { inherits: false }), grant('app', 'staff')),
    expected: [{ check: 'postgres.superuser_member', locator: 'role staff in postgres' }],
  },
  {
    name: 'a member who may only grant the superuser, to itself too',
    capture: members(grant('app', 'postgres', { admin: true, inherits: false, can_set: false })),
    expected: ['postgres.superuser_member'],
  },
  {
    name: 'grants without any use',
    capture: members(
      grant('app', 'postgres', { inherits: false, can_set: false }),
      grant('unused', 'postgres'),
      grant('app', 'staff'),
    ),
    expected: [],
  },
  {
    name: 'members of predefined roles',
    capture: members(
      grant('app', 'pg_write_all_data'),
      grant('app', 'pg_read_all_data'),
      grant('staff', 'pg_monitor'),
      grant('app', 'staff'),
      grant('parapet_reader', 'pg_read_all_stats'),
    ),
    expected: [
      { check: 'postgres.predefined_role_member', locator: 'role app in pg_read_all_data', severity: 'low' },
      {
        check: 'postgres.predefined_role_member',
        locator: 'role app in pg_write_all_data',
        severity: 'medium',
      },
      { check: 'postgres.predefined_role_member', locator: 'role staff in pg_monitor', severity: 'info' },
    ],
  },
  {
    name: 'an API’s role in a predefined role',
    capture: members(grant('anon', 'pg_read_all_data'), grant('authenticator', 'anon', { inherits: false })),
    expected: [
      {
        check: 'postgres.predefined_role_member',
        locator: 'role anon in pg_read_all_data',
        severity: 'high',
      },
    ],
  },
  {
    name: 'administrators of a managed service',
    capture: captureWith({
      roles: listed(
        firstSuperuser('rdsadmin'),
        role('rds_superuser', { can_log_in: false, has_members: true }),
        role('master', { member_of: ['rds_superuser'] }),
      ),
      memberships: listed(
        grant('rds_superuser', 'pg_monitor'),
        grant('master', 'rds_superuser'),
        grant('master', 'pg_read_all_data'),
      ),
    }),
    expected: [],
  },
  {
    name: 'functions that only superusers should call',
    capture: functions(
      ['pg_read_file', 'PUBLIC'],
      ['lo_import', 'app'],
      ['pg_reload_conf', 'app'],
      ['pg_reload_conf', 'PUBLIC'],
      ['pg_ls_dir', 'anon'],
      ['pg_stat_file', 'parapet_reader'],
    ),
    expected: [
      { check: 'postgres.privileged_function', locator: 'function lo_import for app', severity: 'medium' },
      { check: 'postgres.privileged_function', locator: 'function pg_ls_dir for anon', severity: 'medium' },
      {
        check: 'postgres.privileged_function',
        locator: 'function pg_read_file for PUBLIC',
        severity: 'high',
      },
      {
        check: 'postgres.privileged_function',
        locator: 'function pg_reload_conf for PUBLIC',
        severity: 'medium',
      },
      { check: 'postgres.privileged_function', locator: 'function pg_reload_conf for app', severity: 'info' },
    ],
  },
  {
    name: 'settings that other roles may change',
    capture: captureWith({
      parameter_privileges: listed(
        { name: 'archive_command', role: 'app', alter_system: true },
        { name: 'log_statement', role: 'app', alter_system: true },
        { name: 'log_min_duration_statement', role: 'app', alter_system: false },
        { name: 'session_preload_libraries', role: 'PUBLIC', alter_system: false },
      ),
    }),
    expected: [
      { check: 'postgres.parameter_privilege', locator: 'setting archive_command for app', severity: 'high' },
      {
        check: 'postgres.parameter_privilege',
        locator: 'setting log_min_duration_statement for app',
        severity: 'low',
      },
      { check: 'postgres.parameter_privilege', locator: 'setting log_statement for app' },
      {
        check: 'postgres.parameter_privilege',
        locator: 'setting session_preload_libraries for PUBLIC',
        severity: 'high',
      },
    ],
  },
  {
    name: 'a version without grants on settings',
    capture: captureWith({
      server: { ...captureWith().server, version: '14.23' },
      parameter_privileges: { assessed: false, reason: 'This version of the server does not provide it.' },
    }),
    expected: [],
    notAssessed: ['postgres.parameter_privilege'],
  },
  {
    name: 'CREATE for an API’s role and for PUBLIC',
    capture: captureWith({
      schemas: listed({ name: 'public', public_may_create: false, api_creators: ['anon'] }),
      databases: listed(
        database('clinic', {
          public_may_create: true,
          public_may_create_temporary: true,
          api_creators: ['anon'],
        }),
        database('template1', { is_template: true, public_may_create: true }),
        database('postgres', { public_may_create: true }),
      ),
    }),
    expected: [
      { check: 'postgres.api_role_create', locator: 'database clinic' },
      { check: 'postgres.api_role_create', locator: 'schema public' },
      { check: 'postgres.public_database_create', locator: 'database clinic' },
      { check: 'postgres.public_temporary_tables', locator: 'database clinic' },
    ],
  },
  {
    name: 'other databases',
    capture: captureWith({
      databases: listed(database('clinic'), database('billing'), database('postgres')),
    }),
    expected: [{ check: 'postgres.other_databases', locator: 'other databases' }],
  },
  {
    name: 'new tables are open to everyone',
    capture: special('default privilege', inSchema, 'SELECT, INSERT', 'PUBLIC'),
    expected: [
      {
        check: 'postgres.default_privileges_open',
        locator: `default privilege for PUBLIC on ${inSchema}`,
      },
    ],
  },
  {
    name: 'new tables are open to an API’s role',
    capture: special('default privilege', inSchema, 'SELECT', 'anon'),
    expected: [
      {
        check: 'postgres.default_privileges_open',
        locator: `default privilege for anon on ${inSchema}`,
        severity: 'low',
      },
    ],
  },
  {
    name: 'what Supabase sets itself',
    capture: captureWith({
      roles: listed(firstSuperuser('supabase_admin'), role('anon', { of_api: true })),
      special_objects: listed(
        {
          kind: 'default privilege',
          name: 'tables of postgres in schema public',
          owner: 'postgres',
          detail: 'SELECT',
          role: 'anon',
        },
        { kind: 'event trigger', name: 'pgrst_watch', detail: '', role: null, owner: 'supabase_admin' },
      ),
    }),
    expected: [],
  },
  {
    name: 'an event trigger with a function of an ordinary role',
    capture: special('event trigger', 'audit'),
    expected: [{ check: 'postgres.event_trigger_owner', locator: 'event trigger audit' }],
  },
  {
    name: 'a publication of all tables',
    capture: special('publication', 'everything'),
    expected: [{ check: 'postgres.publication_all_tables', locator: 'publication everything' }],
  },
  {
    name: 'large objects for everyone',
    capture: special('large object', 'large objects', 'SELECT', 'PUBLIC'),
    expected: [{ check: 'postgres.large_objects_public', locator: 'large objects for PUBLIC' }],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: Object.values(privilegesChecks).map(({ id }) => id),
  },
];
