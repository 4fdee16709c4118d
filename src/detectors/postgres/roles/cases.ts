import type { PostgresCapture, PostgresRole } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { bootstrap, captureWith, listed, nothingRead, role, truncated } from '../hardened-capture.ts';

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
    name: 'a further superuser',
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
    name: 'a superuser that members switch to',
    capture: may({ superuser: true, can_log_in: false, has_members: true }),
    expected: ['postgres.extra_superuser'],
  },
  {
    name: 'a superuser that nobody can be',
    capture: may({ superuser: true, can_log_in: false }),
    expected: [],
  },
  {
    name: 'one that makes roles and databases',
    capture: may({ create_role: true, create_db: true }),
    expected: [{ check: 'postgres.extra_createrole', locator: 'role worker' }],
  },
  {
    name: 'one that makes databases',
    capture: may({ create_db: true }),
    expected: [{ check: 'postgres.extra_createdb', locator: 'role worker' }],
  },
  { name: 'one that replicates and nothing else', capture: may({ replication: true }), expected: [] },
  {
    name: 'one that replicates and owns tables',
    capture: may({ replication: true, owns_relations: true }),
    expected: [{ check: 'postgres.replication_role_mixed', locator: 'role worker' }],
  },
  {
    name: 'one that no policy holds for',
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
    name: 'files and programs of the server',
    capture: may({ member_of: ['pg_read_server_files', 'pg_execute_server_program', 'pg_monitor'] }),
    expected: [
      { check: 'postgres.server_files_member', locator: 'role worker in pg_execute_server_program' },
      { check: 'postgres.server_files_member', locator: 'role worker in pg_read_server_files' },
    ],
  },
  {
    name: 'administrators of a managed service',
    capture: roles(
      role('rds_superuser', {
        can_log_in: false,
        has_members: true,
        member_of: ['pg_execute_server_program'],
      }),
      role('rdsadmin', { superuser: true, expires: false, connection_limit: -1 }),
      role('master', { create_role: true, create_db: true, member_of: ['rds_superuser'] }),
    ),
    expected: [],
  },
  {
    name: 'Supabase as it comes',
    capture: captureWith({
      roles: listed(
        role('supabase_admin', { bootstrap: true, superuser: true, expires: false, connection_limit: -1 }),
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
    name: 'more places than are shown',
    capture: roles(...many),
    expected: many.slice(0, 50).map(({ name }) => ({
      check: 'postgres.role_without_connection_limit',
      locator: `role ${name}`,
    })),
    notAssessed: ['postgres.role_without_connection_limit'],
  },
  {
    name: 'more roles than are read',
    capture: captureWith({ roles: truncated(bootstrap, role('worker', { bypass_rls: true })) }),
    expected: ['postgres.bypassrls_role'],
    notAssessed: all,
  },
  { name: 'nothing could be read', capture: nothingRead, expected: [], notAssessed: all },
];
