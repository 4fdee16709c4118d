import type { PostgresCapture, PostgresPolicy, PostgresRelation } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  access,
  bootstrap,
  captureWith,
  firstSuperuser,
  listed,
  nothingRead,
  policy,
  relation,
  role,
  truncated,
} from '../hardened-capture.ts';

const relations = (...some: Partial<PostgresRelation>[]) => listed(...some.map(relation));
const policies = (...some: Partial<PostgresPolicy>[]) =>
  captureWith({ policies: listed(...some.map(policy)) });
const open: Partial<PostgresRelation> = { row_security: false, access: [access('anon', { write: true })] };
const noApi: Partial<PostgresCapture> = { overrides: listed(), roles: listed(bootstrap, role('app')) };
const ofApi = ['postgres.rls_disabled', 'postgres.view_bypasses_rls'];
const authUsers: Partial<PostgresRelation> = { schema: 'auth', name: 'users', row_security: false };
const windowOn: Partial<PostgresRelation> = {
  name: 'people',
  kind: 'view',
  row_security: false,
  access: [access('anon')],
  reads_schemas: ['auth'],
};
const column = (name: string, readers: readonly string[] = ['PUBLIC'], schema = 'public') =>
  listed({ schema, relation: 'visits', name, readers });
const secret = { check: 'postgres.sensitive_column_exposed', locator: 'column public.visits.diagnosis' };

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'no row security in a served schema',
    capture: captureWith({ relations: relations(open), policies: listed() }),
    expected: [{ check: 'postgres.rls_disabled', locator: 'table public.visits' }],
  },
  {
    name: 'no row security in an unserved schema, or without grants',
    capture: captureWith({
      relations: relations({ ...open, schema: 'internal' }, { ...open, access: [] }),
      policies: listed(),
    }),
    expected: [],
  },
  {
    name: 'no settings, but roles of an API, which may be for another database',
    capture: captureWith({ overrides: listed(), relations: relations(open), policies: listed() }),
    expected: [],
    notAssessed: [...ofApi, 'postgres.auth_tables_exposed', 'postgres.sensitive_column_exposed'],
  },
  {
    name: 'no settings, but Supabase, which serves its schema public',
    capture: captureWith({
      roles: listed(firstSuperuser('supabase_admin')),
      overrides: listed(),
      relations: relations(open),
      policies: listed(),
    }),
    expected: ['postgres.rls_disabled'],
  },
  {
    name: 'settings with other schemas',
    capture: captureWith({
      overrides: listed({
        role: 'authenticator',
        database: null,
        name: 'pgrst.db_schemas',
        value: 'api, "v2"',
      }),
      relations: relations(open, { ...open, schema: 'v2' }),
      policies: listed(),
    }),
    expected: [{ check: 'postgres.rls_disabled', locator: 'table v2.visits' }],
  },
  {
    name: 'no sign of an API',
    capture: captureWith({
      ...noApi,
      relations: relations({ row_security: false, access: [access('PUBLIC')] }),
      policies: listed(),
    }),
    expected: [],
    notAssessed: ofApi,
  },
  {
    name: 'tables of the managed service',
    capture: captureWith({
      roles: listed(firstSuperuser('supabase_admin'), role('anon')),
      overrides: listed({ role: null, database: null, name: 'pgrst.db_schemas', value: 'public,storage' }),
      relations: relations({ ...open, schema: 'storage' }, { schema: 'auth', row_security: true }),
      policies: listed(policy({ schema: 'storage', row_security: false })),
    }),
    expected: [],
  },
  {
    name: 'a customer’s policy on a table of the managed service',
    capture: captureWith({
      roles: listed(firstSuperuser('supabase_admin'), role('anon')),
      policies: listed(
        policy(),
        policy({
          schema: 'storage',
          relation: 'objects',
          name: 'uploads',
          command: 'insert',
          check: 'always_true',
        }),
      ),
    }),
    expected: [{ check: 'postgres.rls_policy_always_true', locator: 'policy uploads on storage.objects' }],
  },
  {
    name: 'policies without row security',
    capture: policies({ row_security: false }, { row_security: false, name: 'other' }),
    expected: [{ check: 'postgres.rls_policies_inactive', locator: 'table public.visits' }],
  },
  {
    name: 'row security without a policy',
    capture: captureWith({ policies: listed() }),
    expected: [{ check: 'postgres.rls_without_policy', locator: 'table public.visits' }],
  },
  {
    name: 'a policy that is always true',
    capture: policies({ using: 'always_true', check: 'none' }),
    expected: [{ check: 'postgres.rls_policy_always_true', locator: 'policy own rows on public.visits' }],
  },
  {
    name: 'signed-in users may insert any row',
    capture: policies({ command: 'insert', using: 'none', check: 'always_true', roles: ['authenticated'] }),
    expected: ['postgres.rls_policy_always_true'],
  },
  {
    name: 'a policy that lets everyone read explicitly',
    capture: policies({ command: 'select', using: 'always_true', check: 'none' }),
    expected: [],
  },
  {
    name: 'one role may do everything',
    capture: policies({ using: 'always_true', check: 'none', roles: ['service_role'] }),
    expected: [],
  },
  {
    name: 'a restrictive policy narrows it',
    capture: policies(
      { using: 'always_true', check: 'none' },
      { name: 'own tenant', permissive: false, using: 'other', check: 'none' },
    ),
    expected: [],
  },
  {
    name: 'a restrictive policy for another command does not',
    capture: policies(
      { using: 'always_true', check: 'none', command: 'update' },
      { name: 'own tenant', permissive: false, using: 'other', check: 'none', command: 'delete' },
    ),
    expected: ['postgres.rls_policy_always_true'],
  },
  {
    name: 'a policy that trusts user metadata',
    capture: policies({ using: 'user_metadata' }, { name: 'second', check: 'user_metadata', using: 'none' }),
    expected: [
      { check: 'postgres.rls_policy_user_metadata', locator: 'policy own rows on public.visits' },
      { check: 'postgres.rls_policy_user_metadata', locator: 'policy second on public.visits' },
    ],
  },
  {
    name: 'views with their owner’s rights',
    capture: captureWith({
      relations: relations(
        { ...windowOn, reads_schemas: ['public'], bypasses_row_security: true },
        {
          ...windowOn,
          name: 'asks as caller',
          reads_schemas: ['public'],
          bypasses_row_security: true,
          security_invoker: true,
        },
        { ...windowOn, name: 'nothing below', reads_schemas: ['public'] },
        {
          ...windowOn,
          name: 'totals',
          kind: 'materialized view',
          reads_schemas: ['public'],
          bypasses_row_security: true,
        },
        {
          ...windowOn,
          name: 'elsewhere',
          schema: 'internal',
          reads_schemas: ['public'],
          bypasses_row_security: true,
        },
      ),
    }),
    expected: [
      { check: 'postgres.view_bypasses_rls', locator: 'materialized view public.totals' },
      { check: 'postgres.view_bypasses_rls', locator: 'view public.people' },
    ],
  },
  {
    name: 'authentication tables exposed by a grant',
    capture: captureWith({ relations: relations({ ...authUsers, access: [access('PUBLIC')] }) }),
    expected: [{ check: 'postgres.auth_tables_exposed', locator: 'table auth.users' }],
  },
  {
    name: 'a grant with row security',
    capture: captureWith({
      relations: relations({ ...authUsers, row_security: true, access: [access('anon')] }),
      roles: listed(firstSuperuser('supabase_admin'), role('anon')),
    }),
    expected: [],
  },
  {
    name: 'authentication tables exposed by a view',
    capture: captureWith({ relations: relations(windowOn) }),
    expected: [{ check: 'postgres.auth_tables_exposed', locator: 'view public.people' }],
  },
  {
    name: 'a view on authentication tables with its caller’s rights, and one that is not served',
    capture: captureWith({
      relations: relations({ ...windowOn, security_invoker: true }, { ...windowOn, schema: 'internal' }),
    }),
    expected: [],
  },
  {
    name: 'a sensitive column readable by PUBLIC, without an API',
    capture: captureWith({
      ...noApi,
      relations: relations({ row_security: false, access: [access('PUBLIC')] }),
      columns: column('diagnosis'),
      policies: listed(),
    }),
    expected: [secret],
    notAssessed: ofApi,
  },
  {
    name: 'a sensitive column behind row security, and a harmless one',
    capture: captureWith({
      relations: relations({ access: [access('anon')] }),
      columns: listed(...column('diagnosis', ['anon']).value.rows, ...column('title', ['anon']).value.rows),
    }),
    expected: [],
  },
  {
    name: 'a sensitive column behind a policy that is always true',
    capture: {
      ...policies({ command: 'select', using: 'always_true', check: 'none' }),
      columns: column('diagnosis', ['anon']),
    },
    expected: [secret],
  },
  {
    name: 'a sensitive column for signed-in users',
    capture: {
      ...policies({ command: 'select', using: 'always_true', check: 'none', roles: ['authenticated'] }),
      columns: column('diagnosis', ['authenticated']),
    },
    expected: [],
  },
  {
    name: 'more rows than the scan reads',
    capture: captureWith({ relations: truncated(relation({ access: [access('anon')] })) }),
    expected: [],
    notAssessed: [
      ...ofApi,
      'postgres.rls_without_policy',
      'postgres.auth_tables_exposed',
      'postgres.sensitive_column_exposed',
    ],
  },
  {
    name: 'more policies than the scan reads',
    capture: captureWith({ policies: truncated() }),
    expected: [],
    notAssessed: [
      'postgres.rls_policies_inactive',
      'postgres.rls_without_policy',
      'postgres.rls_policy_always_true',
      'postgres.rls_policy_user_metadata',
      'postgres.auth_tables_exposed',
      'postgres.sensitive_column_exposed',
    ],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: [
      ...ofApi,
      'postgres.rls_policies_inactive',
      'postgres.rls_without_policy',
      'postgres.rls_policy_always_true',
      'postgres.rls_policy_user_metadata',
      'postgres.auth_tables_exposed',
      'postgres.sensitive_column_exposed',
    ],
  },
];
