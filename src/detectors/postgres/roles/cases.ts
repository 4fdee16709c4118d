import type { PostgresEvidence, PostgresRole } from '../../../evidence/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { bootstrap, evidenceWith, listed, nothingRead, role, truncated } from '../hardened-evidence.ts';

const roles = (...others: PostgresRole[]) => evidenceWith({ roles: listed(bootstrap, ...others) });
const may = (changes: Partial<PostgresRole>) => roles(role('worker', changes));
const all = [
  ...['extra_superuser', 'extra_createrole', 'extra_createdb', 'replication_role_mixed', 'bypassrls_role'],
  ...['role_without_expiry', 'role_without_connection_limit', 'server_files_member'],
].map(id => `postgres.${id}`);
const many = Array.from({ length: 60 }, (_, index) => role(`r${100 + index}`, { connection_limit: -1 }));

export const cases: readonly GoldenCase<PostgresEvidence>[] = [
  { name: 'hardened server', evidence: evidenceWith(), expected: [] },
  {
    name: 'a further superuser',
    evidence: may({
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
    evidence: may({ superuser: true, can_log_in: false, has_members: true }),
    expected: ['postgres.extra_superuser'],
  },
  {
    name: 'a superuser that nobody can be',
    evidence: may({ superuser: true, can_log_in: false }),
    expected: [],
  },
  {
    name: 'one that makes roles and databases',
    evidence: may({ create_role: true, create_db: true }),
    expected: [{ check: 'postgres.extra_createrole', locator: 'role worker' }],
  },
  {
    name: 'one that makes databases',
    evidence: may({ create_db: true }),
    expected: [{ check: 'postgres.extra_createdb', locator: 'role worker' }],
  },
  { name: 'one that replicates and nothing else', evidence: may({ replication: true }), expected: [] },
  {
    name: 'one that replicates and owns tables',
    evidence: may({ replication: true, owns_relations: true }),
    expected: [{ check: 'postgres.replication_role_mixed', locator: 'role worker' }],
  },
  {
    name: 'one that no policy holds for',
    evidence: may({ bypass_rls: true }),
    expected: [{ check: 'postgres.bypassrls_role', locator: 'role worker' }],
  },
  {
    name: 'no expiry and no limit',
    evidence: may({ expires: false, connection_limit: -1 }),
    expected: [
      { check: 'postgres.role_without_expiry', locator: 'role worker' },
      { check: 'postgres.role_without_connection_limit', locator: 'role worker' },
    ],
  },
  {
    name: 'no password, no expiry',
    evidence: {
      ...may({ expires: false }),
      password_kinds: listed({ role: 'worker', kind: 'none' }),
    },
    expected: [],
  },
  {
    name: 'a group needs neither',
    evidence: may({ can_log_in: false, expires: false, connection_limit: -1 }),
    expected: [],
  },
  {
    name: 'files and programs of the server',
    evidence: may({ member_of: ['pg_read_server_files', 'pg_execute_server_program', 'pg_monitor'] }),
    expected: [
      { check: 'postgres.server_files_member', locator: 'role worker in pg_execute_server_program' },
      { check: 'postgres.server_files_member', locator: 'role worker in pg_read_server_files' },
    ],
  },
  {
    name: 'administrators of a managed service',
    evidence: roles(
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
    evidence: evidenceWith({
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
    evidence: roles(...many),
    expected: many.slice(0, 50).map(({ name }) => ({
      check: 'postgres.role_without_connection_limit',
      locator: `role ${name}`,
    })),
    notAssessed: ['postgres.role_without_connection_limit'],
  },
  {
    name: 'more roles than are read',
    evidence: evidenceWith({ roles: truncated(bootstrap, role('worker', { bypass_rls: true })) }),
    expected: ['postgres.bypassrls_role'],
    notAssessed: all,
  },
  { name: 'nothing could be read', evidence: nothingRead, expected: [], notAssessed: all },
];
