/** A query to the catalogs. A collection sends no other statements. */
export interface PostgresQuery {
  readonly name: string;
  /** What it reads, for the documentation. */
  readonly reads: string;
  /** What a role needs besides `CONNECT`; null if every role may send it. Completes "It needs …". */
  readonly privilege: string | null;
  /** A `SELECT` without a semicolon. */
  readonly sql: string;
  /** Bytes of its rows that are read. */
  readonly bytes?: number;
}

/** Rows of an answer that are kept. */
export const maxRows = 5_000;

export const usualBytes = 192 * 1024;

/** Bytes of a row: a longer message would end the session. */
const maxRowBytes = 60_000;
/** Bytes of a row's message besides its text. */
const rowHeader = 11;

/**
 * The statement as sent: each row is returned as one JSON object. Users choose names and their number, so the server
 * cuts the list: null stands for a row that is too long, and for all that do not fit.
 */
export function statement({ sql, bytes = usualBytes }: PostgresQuery): string {
  return `select case when size <= ${maxRowBytes} and total <= ${bytes} then fact end as fact
from (select fact, size, sum(case when size <= ${maxRowBytes} then size else 0 end) over (rows unbounded preceding) as total
from (select fact, length(convert_to(fact::text, 'UTF8')) + ${rowHeader} as size
from (select pg_catalog.row_to_json(fact) as fact from (\n${sql}\n) as fact limit ${maxRows + 1}) as fact) as fact) as fact
where size > ${maxRowBytes} or total - size <= ${bytes}`;
}

/** Excludes the server's own schemas: a condition on `pg_namespace n`. */
export const ofPeople = "left(n.nspname, 3) <> 'pg_' and n.nspname <> 'information_schema'";

/**
 * Sorts rows so that owners share a list that is cut: the first of each, then the second of each.
 *
 * @param owner the column with the owner's oid
 * @param order of the rows of one owner
 */
export const fairly = (owner: string, order: string) =>
  `row_number() over (partition by ${owner} order by ${order})`;

/** The stored bytes of the conditions of `pg_policy p`, which may be compressed. */
export const storedConditions =
  'coalesce(pg_column_size(p.polqual), 0) + coalesce(pg_column_size(p.polwithcheck), 0)';

/**
 * Excludes objects of extensions, for which their authors are responsible. Only those of superusers, as which scripts of
 * trusted extensions run: the owner of an extension can add other objects to it.
 *
 * @param owner the column with the owner's oid
 */
export const notOfExtension = (catalog: 'pg_class' | 'pg_proc', oid: string, owner: string) =>
  `not exists (select from pg_catalog.pg_depend e
    where e.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass and e.objid = ${oid} and e.deptype = 'e'
      and (select s.rolsuper from pg_catalog.pg_roles s where s.oid = ${owner}))`;

/**
 * A view that runs with the rights of the caller: a condition on the `pg_class` of that alias (PostgreSQL 15 or newer).
 */
export const asInvoker = (alias: string) => `coalesce((select o.option_value::bool
    from pg_catalog.pg_options_to_table(${alias}.reloptions) o where o.option_name = 'security_invoker'), false)`;

/**
 * A function's signature, as the server writes it, by its oid. A hash replaces the types of a long one, so that it stays
 * distinct.
 *
 * @param most bytes as JSON
 */
export const signatureOf = (oid: string, most: number) => `(select case
      when octet_length(to_json(s.signature)::text) <= ${most} then s.signature
      else quote_ident(o.nspname) || '.' || quote_ident(f.proname) || '(' || f.pronargs || ' arguments, hash '
        || to_hex(hashtextextended(s.signature, 0)) || ')' end
    from pg_catalog.pg_proc f join pg_catalog.pg_namespace o on o.oid = f.pronamespace
    cross join lateral (select f.oid::pg_catalog.regprocedure::text as signature) s
    where f.oid = ${oid})`;

/**
 * Roles that represent users of an API: those with the usual names, the one that PostgREST’s settings name, and those
 * that its login role can switch to. That role is called `authenticator`, or has settings named `pgrst.…`. Condition on
 * `pg_roles r`. Roles that bypass row security, such as `service_role`, are for servers if nothing else names them.
 */
const ofApi = `not r.rolsuper and left(r.rolname, 3) <> 'pg_' and (r.rolname in ('anon', 'authenticated', 'web_anon')
    or exists (select from pg_catalog.pg_db_role_setting s cross join lateral unnest(s.setconfig) as c
      where left(c, 19) = 'pgrst.db_anon_role=' and btrim(substr(c, 20), ' "') = r.rolname)
    or not r.rolbypassrls and exists (
      select from pg_catalog.pg_auth_members m join pg_catalog.pg_roles l on l.oid = m.member
      where m.roleid = r.oid and (l.rolname = 'authenticator' and l.rolcanlogin or exists (
        select from pg_catalog.pg_db_role_setting s cross join lateral unnest(s.setconfig) as c
        where s.setrole = l.oid and left(c, 6) = 'pgrst.'))))`;

/** The roles of an API. */
export const apiRoles = `select r.rolname as name from pg_catalog.pg_roles r
  where ${ofApi}`;

/** The roles whose access is assessed besides the owners': PUBLIC, and those of an API. */
export const audience = `select 'public' as name
  union all
  ${apiRoles}`;
