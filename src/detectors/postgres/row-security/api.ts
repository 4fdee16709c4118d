import { type Assessment, notAssessed } from '../../../captures/assessment.ts';
import type { PostgresCapture } from '../../../captures/postgres.ts';

/** The part of the database that an API such as PostgREST serves. */
interface ServedApi {
  readonly schemas: ReadonlySet<string>;
  /** Roles of anonymous visitors. */
  readonly anonymous: ReadonlySet<string>;
}

/**
 * Determines what is served: PostgREST's settings in the database, or without settings, if there is a role
 * `anon` or `authenticated`, its default schema `public`. A configuration in the API's file or environment is
 * not visible in the database.
 */
export function servedApi({ overrides, roles }: PostgresCapture): Assessment<ServedApi> {
  if (!overrides.assessed) return overrides;
  if (!roles.assessed) return roles;
  const valuesOf = (...names: string[]) =>
    overrides.value.rows.filter(({ name }) => names.includes(name)).flatMap(({ value }) => value.split(','));
  const set = valuesOf('pgrst.db_schemas', 'pgrst.db_schema').map(name => name.trim().replace(/^"|"$/g, ''));
  const schemas = set.filter(name => name !== '');
  const hasApiRoles = roles.value.rows.some(({ name }) => name === 'anon' || name === 'authenticated');
  if (schemas.length === 0 && !hasApiRoles)
    return notAssessed(
      'Which schemas an API serves is unknown: pgrst.db_schemas is not set in the database, and there are no roles anon and authenticated.',
    );
  return {
    assessed: true,
    value: {
      schemas: new Set(schemas.length === 0 ? ['public'] : schemas),
      anonymous: new Set(['anon', ...valuesOf('pgrst.db_anon_role').map(name => name.trim())]),
    },
  };
}
