/** A query to the catalogs. A collection sends no other statements. */
export interface PostgresQuery {
  readonly name: string;
  /** What it reads, for the documentation. */
  readonly reads: string;
  /** What a role needs besides `CONNECT`; null if every role may send it. Completes "It needs …". */
  readonly privilege: string | null;
  /** A `SELECT` without a semicolon. */
  readonly sql: string;
}

/** Rows of an answer that are kept. */
export const maxRows = 5_000;

/** The statement as sent: each row is returned as one JSON object. */
export function statement({ sql }: PostgresQuery): string {
  return `select pg_catalog.row_to_json(fact) as fact from (\n${sql}\n) as fact limit ${maxRows + 1}`;
}

/** Excludes the server's own schemas: a condition on `pg_namespace n`. */
export const ofPeople = "left(n.nspname, 3) <> 'pg_' and n.nspname <> 'information_schema'";

/** Excludes objects of extensions, for which their authors are responsible. */
export const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_catalog.pg_depend e
    where e.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass and e.objid = ${oid} and e.deptype = 'e')`;

/**
 * The roles whose access is assessed besides the owners': PUBLIC, and the roles that represent users of an API.
 * PostgREST switches to roles that its login role was granted; that role has settings named `pgrst.…`, if they are in
 * the database.
 */
export const audience = `select 'public' as name
  union all
  select r.rolname from pg_catalog.pg_roles r
  where not r.rolsuper and not r.rolbypassrls and (r.rolname in ('anon', 'authenticated') or exists (
    select from pg_catalog.pg_auth_members m join pg_catalog.pg_db_role_setting s on s.setrole = m.member
    where m.roleid = r.oid and exists (select from unnest(s.setconfig) as c where left(c, 6) = 'pgrst.')))`;
