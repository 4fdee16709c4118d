import type { Assessment } from '../../../captures/assessment.ts';
import type { PostgresCapture } from '../../../captures/postgres.ts';

/** What an API such as PostgREST serves of the database. */
interface ServedApi {
  readonly schemas: ReadonlySet<string>;
  /** Roles of visitors who have not logged in. */
  readonly anonymous: ReadonlySet<string>;
}

/**
 * Finds out what is served: by PostgREST's settings in the database, or, where a role `anon` or `authenticated` stands
 * for its users and nothing is set, the schema that PostgREST serves by default, `public`. A configuration in a file
 * or in the environment of the API cannot be seen from here.
 */
export function servedApi({ overrides, roles }: PostgresCapture): Assessment<ServedApi> {
  if (!overrides.assessed) return overrides;
  if (!roles.assessed) return roles;
  const valuesOf = (...names: string[]) =>
    overrides.value.rows.filter(({ name }) => names.includes(name)).flatMap(({ value }) => value.split(','));
  const set = valuesOf('pgrst.db_schemas', 'pgrst.db_schema').map(name => name.trim().replace(/^"|"$/g, ''));
  const schemas = set.filter(name => name !== '');
  const hasApiRoles = roles.value.rows.some(({ name }) => name === 'anon' || name === 'authenticated');
  if (schemas.length === 0 && !hasApiRoles) {
    return {
      assessed: false,
      reason:
        'Which schemas an API serves is unknown: pgrst.db_schemas is not set in the database, and there are no roles anon and authenticated.',
    };
  }
  return {
    assessed: true,
    value: {
      schemas: new Set(schemas.length === 0 ? ['public'] : schemas),
      anonymous: new Set(['anon', ...valuesOf('pgrst.db_anon_role').map(name => name.trim())]),
    },
  };
}
