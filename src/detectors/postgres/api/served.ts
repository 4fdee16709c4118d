import { type Assessment, notAssessed } from '../../../captures/assessment.ts';
import type { PostgresCapture } from '../../../captures/postgres.ts';
import { providerOf } from '../provider.ts';

/** The part of the database that an API such as PostgREST serves. */
export interface ServedApi {
  readonly schemas: ReadonlySet<string>;
  /** Roles of anonymous visitors. */
  readonly anonymous: ReadonlySet<string>;
}

const unset = 'Which schemas an API serves is unknown: pgrst.db_schemas is not set in the database.';
const named =
  'Which schemas an API serves is unknown: its roles exist, but pgrst.db_schemas is not set for one of them or for this database.';
const computed = 'Which schemas an API serves is unknown: a function sets them (pgrst.db_pre_config).';

/**
 * Determines what is served: PostgREST's settings in the database, or on Supabase without settings, its default. The
 * roles of an API belong to all databases of a server, so they do not show which one it serves, and the configuration in
 * the API's file or environment is not visible.
 */
export function servedApi(capture: PostgresCapture): Assessment<ServedApi> {
  const { overrides, roles } = capture;
  if (!overrides.assessed) return overrides;
  if (!roles.assessed) return roles;
  const valuesOf = (...names: string[]) =>
    overrides.value.rows.filter(({ name }) => names.includes(name)).flatMap(({ value }) => value.split(','));
  const set = valuesOf('pgrst.db_schemas', 'pgrst.db_schema').map(unquoted);
  const schemas = set.filter(name => name !== '');
  if (schemas.length === 0) {
    const isComputed = valuesOf('pgrst.db_pre_config').some(name => name.trim() !== '');
    if (isComputed) return notAssessed(computed);
    if (providerOf(capture)?.name !== 'Supabase')
      return notAssessed(roles.value.rows.some(({ of_api }) => of_api) ? named : unset);
    schemas.push('public');
  }
  return {
    assessed: true,
    value: {
      schemas: new Set(schemas),
      anonymous: new Set(['anon', 'web_anon', ...valuesOf('pgrst.db_anon_role').map(unquoted)]),
    },
  };
}

const unquoted = (name: string) => name.trim().replace(/^"|"$/g, '');
