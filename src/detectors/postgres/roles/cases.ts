import type { PostgresCapture, PostgresRole } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  bootstrap,
  captureWith,
  firstSuperuser,
  listed,
  nothingRead,
  role,
  superuser,
  truncated,
} from '../hardened-capture.ts';

const roles = (...others: PostgresRole[]) => captureWith({ roles: listed(bootstrap, ...others) });
const may = (changes: Partial<PostgresRole>) => roles(role('worker', changes));
const all = [
  ...['extra_superuser', 'extra_createrole', 'extra_createdb', 'replication_role_mixed', 'bypassrls_role'],
  ...['role_without_expiry', 'role_without_connection_limit', 'server_files_member'],
].map(id => `postgres.${id}`);
const many = Array.from({ length: 60 }, (_, index) => role(`r${100 + index}`, { connection_limit: -1 }));

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'an additional superuser',
    capture: may({
      superuser: true,
      create_role: true,
      create_db: true,
      replication: true,
      bypass_rls: true,
    }),
    expected: [{ check: 'postgres.extra_superuser', locator: 'role worker' }],
  },
  {
    name: 'a superuser role with members',
    capture: may({ superuser: true, can_log_in: false, has_members: true }),
    expected: ['postgres.extra_superuser'],
  },
  {
    name: 'a superuser that cannot sign in and has no members',
    capture: may({ superuser: true, can_log_in: false }),
    expected: [],
  },
  {
    name: 'a role that can create roles and databases',
    capture: may({ create_role: true, create_db: true }),
    expected: [{ check: 'postgres.extra_createrole', locator: 'role worker' }],
  },
  {
    name: 'a role that can create databases',
    capture: may({ create_db: true }),
    expected: [{ check: 'postgres.extra_createdb', locator: 'role worker' }],
  },
  { name: 'a role that only replicates', capture: may({ replication: true }), expected: [] },
  {
    name: 'a role that replicates and owns tables',
    capture: may({ replication: true, owns_relations: true }),
    expected: [{ check: 'postgres.replication_role_mixed', locator: 'role worker' }],
  },
  {
    name: 'a role that bypasses row security',
    capture: may({ bypass_rls: true }),
    expected: [{ check: 'postgres.bypassrls_role', locator: 'role worker' }],
  },
  {
    name: 'no expiry and no limit',
    capture: may({ expires: false, connection_limit: -1 }),
    expected: [
      { check: 'postgres.role_without_expiry', locator: 'role worker' },
      { check: 'postgres.role_without_connection_limit', locator: 'role worker' },
    ],
  },
  {
    name: 'no password, no expiry',
    capture: {
      ...may({ expires: false }),
      password_kinds: listed({ role: 'worker', kind: 'none' }),
    },
    expected: [],
  },
  {
    name: 'a group needs neither',
    capture: may({ can_log_in: false, expires: false, connection_limit: -1 }),
    expected: [],
  },
  {
    name: 'a role with access to server files and programs',
    capture: may({ member_of: ['pg_read_server_files', 'pg_execute_server_program', 'pg_monitor'] }),
    expected: [
      { check: 'postgres.server_files_member', locator: 'role worker in pg_execute_server_program' },
      { check: 'postgres.server_files_member', locator: 'role worker in pg_read_server_files' },
    ],
  },
  {
    name: 'administrators of a managed service',
    capture: captureWith({
      roles: listed(
        firstSuperuser('rdsadmin'),
        role('rds_superuser', {
          can_log_in: false,
          has_members: true,
          member_of: ['pg_execute_server_program'],
        }),
        role('master', { create_role: true, create_db: true, member_of: ['rds_superuser'] }),
      ),
    }),
    expected: [],
  },
  {
    name: 'an older Supabase project, whose first superuser lost SUPERUSER',
    capture: captureWith({
      roles: listed(
        role('postgres', { bootstrap: true, create_role: true, create_db: true, bypass_rls: true }),
        role('supabase_admin', superuser),
        role('service_role', { can_log_in: false, has_members: true, bypass_rls: true }),
      ),
    }),
    expected: [],
  },
  {
    name: 'names of managed services on another server',
    capture: roles(
      ...['supabase_admin', 'rds_superuser', 'neon_superuser'].map(name => role(name, { can_log_in: false })),
      role('cloud_admin', superuser),
      role('service_role', { bypass_rls: true, member_of: ['neon_superuser'] }),
    ),
    expected: [
      { check: 'postgres.extra_superuser', locator: 'role cloud_admin' },
      { check: 'postgres.role_without_expiry', locator: 'role cloud_admin' },
      { check: 'postgres.bypassrls_role', locator: 'role service_role' },
    ],
  },
  {
    name: 'a default Supabase project',
    capture: captureWith({
      roles: listed(
        firstSuperuser('supabase_admin'),
        role('postgres', {
          create_role: true,
          create_db: true,
          replication: true,
          bypass_rls: true,
          expires: false,
        }),
        role('authenticator', { expires: false, connection_limit: -1 }),
        role('service_role', { can_log_in: false, has_members: true, bypass_rls: true }),
        role('supabase_auth_admin', { create_role: true, owns_relations: true, connection_limit: -1 }),
      ),
    }),
    expected: [],
  },
  {
    name: 'more places than the check reports',
    capture: roles(...many),
    expected: many.slice(0, 50).map(({ name }) => ({
      check: 'postgres.role_without_connection_limit',
      locator: `role ${name}`,
    })),
    notAssessed: ['postgres.role_without_connection_limit'],
  },
  {
    name: 'more roles than the scan reads',
    capture: captureWith({ roles: truncated(bootstrap, role('worker', { bypass_rls: true })) }),
    expected: ['postgres.bypassrls_role'],
    notAssessed: all,
  },
  { name: 'nothing could be read', capture: nothingRead, expected: [], notAssessed: all },
];
