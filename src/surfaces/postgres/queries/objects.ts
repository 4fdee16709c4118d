import {
  apiRoles,
  fairly,
  maxRows,
  notOfExtension,
  ofPeople,
  type PostgresQuery,
  signatureOf,
} from './query.ts';

export const definerFunctions: PostgresQuery = {
  name: 'definer functions',
  reads:
    'Functions that run as their owner (SECURITY DEFINER), except superuser-owned ones of extensions: names, argument types and API roles that may call them, not source code.',
  privilege: null,
  bytes: 1024 * 1024,
  sql: `with api as (
  ${apiRoles}
)
select ${signatureOf('p.oid', 2_000)} as signature, n.nspname as schema, o.rolsuper as owner_is_superuser,
  has_function_privilege('public', p.oid, 'EXECUTE') and has_schema_privilege('public', n.oid, 'USAGE')
    as public_may_execute,
  array(select api.name from api where has_function_privilege(api.name, p.oid, 'EXECUTE')
    and has_schema_privilege(api.name, n.oid, 'USAGE') order by 1) as api_roles,
  p.prorettype in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype) as trigger,
  l.lanname in ('c', 'internal')
    -- PostgreSQL 13 has no such column: there, the name is that of "older".
    or (select prosqlbody is not null from pg_catalog.pg_proc b where b.oid = p.oid)
    or exists (select from unnest(p.proconfig) as c where left(c, 12) = 'search_path=') as search_path_fixed,
  (select substr(c, 13, 300) from unnest(p.proconfig) as c where left(c, 12) = 'search_path=' limit 1) as search_path
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles o on o.oid = p.proowner
join pg_catalog.pg_language l on l.oid = p.prolang
cross join (select null as prosqlbody) older
where p.prosecdef and ${ofPeople}
  and ${notOfExtension('pg_proc', 'p.oid', 'p.proowner')}
order by ${fairly('p.proowner', 'p.oid')}, p.oid
limit ${maxRows + 1}`,
};

export const untrustedLanguages: PostgresQuery = {
  name: 'untrusted languages',
  reads: 'Languages whose functions have the full access of the server process.',
  privilege: null,
  sql: `select lanname as name
from pg_catalog.pg_language
where lanispl and not lanpltrusted
order by lanname`,
};

export const extensions: PostgresQuery = {
  name: 'extensions',
  reads: 'Installed extensions, their schemas and versions, and the versions available on the server.',
  privilege: null,
  sql: `select e.extname as name, n.nspname as schema, e.extversion as installed, a.default_version as available
from pg_catalog.pg_extension e
join pg_catalog.pg_namespace n on n.oid = e.extnamespace
left join pg_catalog.pg_available_extensions a on a.name = e.extname
order by e.extname`,
};

export const userMappings: PostgresQuery = {
  name: 'user mappings',
  reads:
    'User mappings of foreign servers, and whether they store a password. The server makes the comparison; options are not sent.',
  privilege: 'to own the foreign server or to be a superuser',
  sql: `select m.srvname as server, case when m.umuser = 0 then 'PUBLIC' else m.usename end as role,
  case
    when m.umoptions is not null then exists (select from unnest(m.umoptions) as o
      where split_part(lower(o), '=', 1) in ('password', 'passwd', 'pwd')
        or strpos(split_part(lower(o), '=', 1), 'secret') > 0)
    when (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then false
  end as has_password
from pg_catalog.pg_user_mappings m
order by 1, 2`,
};
