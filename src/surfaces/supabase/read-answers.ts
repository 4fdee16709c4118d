import type {
  SupabaseBucket,
  SupabaseSignUp,
  SupabaseTable,
  SupabaseTableRights,
} from '../../captures/supabase.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Tables whose anonymous access is requested, each with one request. */
export const maxTables = 100;

const maxItems = 2_000;
const maxText = 200;

/** A project may answer with anything: only objects, lists and short texts of the expected shape are accepted. */
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxText).toWellFormed() : '');
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const texts = (value: unknown) => (Array.isArray(value) ? value.map(text) : []);
/** Undefined if it is not a list, or is longer than the limit: an incomplete list cannot show what is missing. */
function listOf(value: unknown): readonly Fields[] | undefined {
  return Array.isArray(value) && value.length <= maxItems ? value.filter(isFields) : undefined;
}

/** PostgreSQL names. */
const isName = (name: string) => /^[^\u0000-\u001f\u007f]{1,63}$/.test(name);

/**
 * Tables and views of a REST root's description (Swagger 2.0, as PostgREST writes it), in order; undefined if it is not
 * one. Names that cannot be one segment of a path are left out.
 */
export function readTables(
  answer: unknown,
  schema: string | null = null,
): { readonly list: readonly SupabaseTable[]; readonly truncated: boolean } | undefined {
  const { swagger, paths, definitions } = fieldsOf(answer);
  if (typeof swagger !== 'string' || !isFields(paths)) return undefined;
  // The root describes itself as `/`, and functions as `/rpc/…`, which are not read with GET.
  const all = Object.entries(paths)
    .filter(([path, item]) => /^\/(?!$|rpc\/)/.test(path) && isFields(item) && Object.hasOwn(item, 'get'))
    .map(([path]) => path.slice(1));
  const names = all.filter(name => isName(name) && !name.includes('/')).sort();
  return {
    list: names.slice(0, maxTables).map(name => ({ schema, name, columns: columnsOf(definitions, name) })),
    truncated: Math.min(names.length, maxTables) < all.length,
  };
}

/** The `code` of an error of PostgREST: its own, or PostgreSQL's. */
export function errorCodeOf(answer: unknown): string | undefined {
  const { code } = fieldsOf(answer);
  return typeof code === 'string' ? code : undefined;
}

/**
 * The schemas that PostgREST names when a request uses one that it does not expose (PGRST106), in its order: in the
 * message up to version 13, then in the hint. Undefined if it names none.
 */
export function readSchemas(answer: unknown): readonly string[] | undefined {
  const { message, hint } = fieldsOf(answer);
  const texts = errorCodeOf(answer) === 'PGRST106' ? [message, hint] : [];
  const [list] = texts.flatMap(said =>
    typeof said === 'string'
      ? (/(?:one of the following|are exposed): (.{1,2000})$/.exec(said)?.[1] ?? [])
      : [],
  );
  const names = list?.split(/, ?/) ?? [];
  return names.length > 0 && names.every(isName) ? names : undefined;
}

function columnsOf(definitions: unknown, name: string): readonly string[] {
  const all = fieldsOf(definitions);
  const definition = Object.hasOwn(all, name) ? fieldsOf(all[name]) : {};
  return Object.keys(fieldsOf(definition.properties)).filter(isName);
}

/** The buckets of the Storage API's list; undefined if it is not valid. */
export function readBuckets(answer: unknown): readonly SupabaseBucket[] | undefined {
  return listOf(answer)?.map(bucket => ({
    name: text(bucket.name),
    public: bucket.public === true,
    allowed_mime_types: Array.isArray(bucket.allowed_mime_types) ? texts(bucket.allowed_mime_types) : null,
  }));
}

/** The Auth API's public settings; undefined if a required one is missing. */
export function readSignUp(answer: unknown): SupabaseSignUp | undefined {
  const settings = fieldsOf(answer);
  const external = fieldsOf(settings.external);
  const { disable_signup, mailer_autoconfirm, phone_autoconfirm } = settings;
  if (typeof disable_signup !== 'boolean' || typeof mailer_autoconfirm !== 'boolean') return undefined;
  return {
    open: !disable_signup,
    unconfirmed: [
      ...(external.email === true && mailer_autoconfirm ? (['email'] as const) : []),
      ...(external.phone === true && phone_autoconfirm === true ? (['phone'] as const) : []),
    ],
  };
}

function grouped(entries: readonly Fields[], keyOf: (entry: Fields) => string): Map<string, Fields[]> {
  const groups = new Map<string, Fields[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

const anonymousRoles = new Set(['anon', 'PUBLIC', 'public']);

/** Combines tables, grants and policies of postgres-meta; undefined if one of them is not a list. */
export function readRights(
  tables: unknown,
  privileges: unknown,
  policies: unknown,
): readonly SupabaseTableRights[] | undefined {
  const [allTables, allPrivileges, allPolicies] = [listOf(tables), listOf(privileges), listOf(policies)];
  if (!allTables || !allPrivileges || !allPolicies) return undefined;
  const grants = allPrivileges.map(({ schema, name, privileges }) => ({
    schema,
    name,
    list: listOf(privileges),
  }));
  if (grants.some(({ list }) => list === undefined)) return undefined;
  const keyOf = (schema: unknown, name: unknown) => JSON.stringify([text(schema), text(name)]);
  const privilegesOf = grouped(grants, entry => keyOf(entry.schema, entry.name));
  const policiesOf = grouped(allPolicies, entry => keyOf(entry.schema, entry.table));
  // A table listed twice must not have its entries twice.
  const tablesByKey = new Map(allTables.map(table => [keyOf(table.schema, table.name), table]));
  return [...tablesByKey].map(([key, table]) => {
    const granted = (privilegesOf.get(key) ?? [])
      .flatMap(({ list }) => list as readonly Fields[])
      .filter(({ grantee }) => anonymousRoles.has(text(grantee)))
      .map(({ privilege_type }) => text(privilege_type));
    return {
      schema: text(table.schema),
      name: text(table.name),
      row_security: table.rls_enabled === true,
      granted: [...new Set(granted)].sort(),
      policies: (policiesOf.get(key) ?? [])
        .filter(({ roles }) => texts(roles).some(role => anonymousRoles.has(role)))
        .map(({ action, command, definition, check }) => ({
          permissive: action === 'PERMISSIVE',
          command: text(command),
          using: typeof definition === 'string' ? text(definition) : null,
          check: typeof check === 'string' ? text(check) : null,
        })),
    };
  });
}
