import type {
  PostgresCapture,
  PostgresDefinerFunction,
  PostgresPolicy,
  PostgresRelation,
} from '../../../captures/postgres.ts';
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
} from '../hardened-capture.ts';
import { apiChecks } from './checks.ts';

const ofApi = [
  ...['view_runs_as_owner', 'materialized_view_exposed', 'foreign_table_exposed', 'queue_exposed'],
  ...['graphql_exposes_tables', 'security_definer_api', 'extension_in_public'],
].map(id => `postgres.${id}`);
const open: Partial<PostgresRelation> = { row_security: false, access: [access('anon')] };
const relations = (...some: Partial<PostgresRelation>[]) =>
  captureWith({ relations: listed(...some.map(one => relation({ ...open, ...one }))) });
const definer = (changes: Partial<PostgresDefinerFunction>) =>
  captureWith({
    definer_functions: listed({
      signature: 'public.close_visit(integer)',
      schema: 'public',
      owner_is_superuser: false,
      public_may_execute: false,
      api_roles: ['anon'],
      trigger: false,
      search_path_fixed: true,
      search_path: null,
      ...changes,
    }),
  });
const storage = (...changes: Partial<PostgresPolicy>[]) =>
  captureWith({
    policies: listed(
      policy(),
      ...changes.map(own =>
        policy({ schema: 'storage', relation: 'objects', name: 'listing', command: 'select', ...own }),
      ),
    ),
  });
const serving = (value: string) =>
  listed({ role: 'authenticator', database: null, name: 'pgrst.db_schemas', value });
const withExtension = (schema: string, name: string) =>
  captureWith({ extensions: listed({ name, schema, installed: '1', available: '1' }) });
const view: Partial<PostgresRelation> = { name: 'visit_list', kind: 'view' };

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'a view that runs as its owner',
    capture: relations(view),
    expected: [{ check: 'postgres.view_runs_as_owner', locator: 'view public.visit_list' }],
  },
  {
    name: 'views of other kinds, with findings of their own, or not served',
    capture: relations(
      { ...view, security_invoker: true },
      { ...view, bypasses_row_security: true },
      { ...view, reads_schemas: ['auth'] },
      { ...view, schema: 'internal' },
      { ...view, access: [] },
    ),
    expected: [],
  },
  {
    name: 'what has no row security',
    capture: relations(
      { name: 'totals', kind: 'materialized view' },
      { name: 'remote', kind: 'foreign table' },
      { name: 'hidden', kind: 'foreign table', access: [] },
    ),
    expected: [
      { check: 'postgres.materialized_view_exposed', locator: 'materialized view public.totals' },
      { check: 'postgres.foreign_table_exposed', locator: 'foreign table public.remote' },
    ],
  },
  {
    name: 'a queue that is served',
    capture: {
      ...relations({ schema: 'pgmq', name: 'q_letters' }, { schema: 'pgmq', name: 'meta' }),
      overrides: serving('public, pgmq_public'),
    },
    expected: [{ check: 'postgres.queue_exposed', locator: 'table pgmq.q_letters' }],
  },
  {
    name: 'a queue that is not served',
    capture: relations({ schema: 'pgmq', name: 'q_letters' }),
    expected: [],
  },
  {
    name: 'policies that permit all files',
    capture: storage({ using: 'whole_bucket' }, { using: 'always_true', name: 'all', roles: ['anon'] }),
    expected: [
      { check: 'postgres.storage_listing_open', locator: 'policy all on storage.objects' },
      { check: 'postgres.storage_listing_open', locator: 'policy listing on storage.objects' },
    ],
  },
  {
    name: 'policies that permit own files, uploads, or servers',
    capture: storage(
      { using: 'other' },
      { using: 'none', check: 'whole_bucket', command: 'insert', name: 'uploads' },
      { using: 'whole_bucket', roles: ['service_role'], name: 'servers' },
    ),
    expected: [],
  },
  {
    name: 'GraphQL',
    capture: {
      ...relations({ row_security: true }),
      ...{ extensions: listed({ name: 'pg_graphql', schema: 'graphql', installed: '1', available: '1' }) },
    },
    expected: [{ check: 'postgres.graphql_exposes_tables', locator: 'GraphQL for anon' }],
  },
  {
    name: 'an extension in a served schema',
    capture: withExtension('public', 'citext'),
    expected: [{ check: 'postgres.extension_in_public', locator: 'extension citext' }],
  },
  { name: 'an extension elsewhere', capture: withExtension('extensions', 'citext'), expected: [] },
  {
    name: 'a function for the API’s users',
    capture: definer({}),
    expected: [{ check: 'postgres.security_definer_api', locator: 'public.close_visit(integer)' }],
  },
  {
    name: 'a function of a superuser for the API’s users',
    capture: definer({ owner_is_superuser: true }),
    expected: [
      { check: 'postgres.security_definer_api', locator: 'public.close_visit(integer)', severity: 'high' },
    ],
  },
  {
    name: 'a function for PUBLIC is another check’s',
    capture: definer({ public_may_execute: true }),
    expected: [],
  },
  {
    name: 'a trigger, and a schema that is not served',
    capture: definer({ schema: 'internal' }),
    expected: [],
  },
  {
    name: 'an owner to whom policies do not apply',
    capture: captureWith({ relations: listed(relation({ exempt_owner: 'app' })) }),
    expected: [{ check: 'postgres.rls_owner_exempt', locator: 'table public.visits' }],
  },
  {
    name: 'a function without a search path',
    capture: captureWith({ mutable_functions: listed({ signature: 'public.f()', schema: 'public' }) }),
    expected: [{ check: 'postgres.function_search_path_unset', locator: 'public.f()' }],
  },
  {
    name: 'what blocks upgrades',
    capture: captureWith({
      special_objects: listed(
        {
          kind: 'foreign key to auth',
          owner: 'app',
          name: 'constraint k on public.members',
          role: null,
          detail: '',
        },
        { kind: 'reg type', owner: 'app', name: 'public.rules.handler', role: null, detail: 'regproc' },
      ),
    }),
    expected: [
      { check: 'postgres.foreign_key_to_auth', locator: 'constraint k on public.members' },
      { check: 'postgres.reg_type_column', locator: 'column public.rules.handler' },
    ],
  },
  {
    name: 'roles of an API in another database',
    capture: { ...relations(view), overrides: listed() },
    expected: [],
    notAssessed: ofApi,
  },
  {
    name: 'schemas from a function',
    capture: {
      ...relations(view),
      roles: listed(firstSuperuser('supabase_admin')),
      overrides: listed({
        role: 'authenticator',
        database: null,
        name: 'pgrst.db_pre_config',
        value: 'api.config',
      }),
    },
    expected: [],
    notAssessed: ofApi,
  },
  {
    name: 'no API',
    capture: { ...relations(view), overrides: listed(), roles: listed(bootstrap, role('app')) },
    expected: [],
    notAssessed: ofApi,
  },
  {
    name: 'Supabase without settings serves its schema public',
    capture: { ...relations(view), overrides: listed(), roles: listed(firstSuperuser('supabase_admin')) },
    expected: [{ check: 'postgres.view_runs_as_owner', locator: 'view public.visit_list' }],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: Object.values(apiChecks).map(({ id }) => id),
  },
];
