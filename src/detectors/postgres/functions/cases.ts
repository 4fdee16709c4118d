import type { PostgresCapture, PostgresDefinerFunction } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, firstSuperuser, listed, nothingRead } from '../hardened-capture.ts';

const definer = (changes: Partial<PostgresDefinerFunction>): PostgresCapture =>
  captureWith({
    definer_functions: listed({
      signature: 'app.close_visit(integer)',
      schema: 'app',
      owner_is_superuser: false,
      public_may_execute: false,
      api_roles: [],
      trigger: false,
      search_path_fixed: true,
      search_path: null,
      ...changes,
    }),
  });

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  { name: 'a safe function', capture: definer({}), expected: [] },
  {
    name: 'PUBLIC may execute it',
    capture: definer({ public_may_execute: true }),
    expected: [{ check: 'postgres.security_definer_public', locator: 'app.close_visit(integer)' }],
  },
  {
    name: 'PUBLIC may execute a superuser’s function',
    capture: definer({ public_may_execute: true, owner_is_superuser: true }),
    expected: ['postgres.security_definer_public'],
  },
  {
    name: 'a trigger function, which cannot be called directly',
    capture: definer({ public_may_execute: true, trigger: true }),
    expected: [],
  },
  {
    name: 'it uses its caller’s search path, also as a trigger',
    capture: definer({
      search_path_fixed: false,
      search_path: null,
      trigger: true,
      public_may_execute: true,
    }),
    expected: [{ check: 'postgres.search_path_mutable', locator: 'app.close_visit(integer)' }],
  },
  {
    name: 'a function of the managed service',
    capture: {
      ...definer({
        schema: 'vault',
        signature: 'vault.f()',
        search_path_fixed: false,
        search_path: null,
        public_may_execute: true,
      }),
      roles: listed(firstSuperuser('supabase_admin')),
    },
    expected: [],
  },
  {
    name: 'a search path with a schema in which everyone can create',
    capture: {
      ...definer({ search_path: 'app, "public"' }),
      schemas: listed({ name: 'public', public_may_create: true, api_creators: [] }),
    },
    expected: [{ check: 'postgres.search_path_mutable', locator: 'app.close_visit(integer)' }],
  },
  {
    name: 'a search path with a protected schema',
    capture: definer({ search_path: 'app, public' }),
    expected: [],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: ['postgres.security_definer_public', 'postgres.search_path_mutable'],
  },
];
