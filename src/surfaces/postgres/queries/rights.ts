import { authSchemas } from '../../../captures/postgres.ts';
import { apiRoles, audience, fairly, maxRows, ofPeople, type PostgresQuery, signatureOf } from './query.ts';

const listed = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ');

/**
 * Functions that only superusers may execute unless someone grants them: of the server, and of the extensions that come
 * with it. Source: the REVOKE statements of
 * https://github.com/postgres/postgres/blob/master/src/backend/catalog/system_functions.sql
 */
const fileFunctions: readonly string[] = [
  ...['pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'lo_import', 'lo_export'],
  ...['pg_file_read', 'pg_file_write', 'pg_file_rename', 'pg_file_unlink', 'pg_file_sync'],
  ...['pg_logdir_ls', 'dblink_connect_u'],
];
const operatingFunctions: readonly string[] = [
  ...['pg_reload_conf', 'pg_rotate_logfile', 'pg_promote', 'pg_switch_wal', 'pg_create_restore_point'],
  ...['pg_start_backup', 'pg_stop_backup', 'pg_backup_start', 'pg_backup_stop', 'pg_wal_replay_pause'],
  ...['pg_wal_replay_resume', 'pg_stat_reset', 'pg_stat_reset_shared', 'pg_ls_logdir', 'pg_ls_waldir'],
  ...['pg_ls_tmpdir', 'pg_show_all_file_settings', 'pg_replication_origin_advance', 'pg_config'],
];

export const databases: PostgresQuery = {
  name: 'databases',
  reads:
    'Names of the databases, whether they are templates, and whether PUBLIC or an API role may create schemas or temporary tables in them.',
  privilege: null,
  sql: `with api as (
  ${apiRoles}
)
select d.datname as name, d.datistemplate as is_template,
  has_database_privilege('public', d.oid, 'CREATE') as public_may_create,
  has_database_privilege('public', d.oid, 'TEMPORARY') as public_may_create_temporary,
  array(select api.name from api where not has_database_privilege('public', d.oid, 'CREATE')
    and has_database_privilege(api.name, d.oid, 'CREATE') order by 1) as api_creators
from pg_catalog.pg_database d
where d.datallowconn
order by d.datname <> current_database(), d.datname`,
};

export const privilegedFunctions: PostgresQuery = {
  name: 'privileged functions',
  reads:
    'Functions for files, connections and operation that only superusers may execute by default, and the other roles that may. Predefined roles are left out.',
  privilege: null,
  sql: `select p.proname as name, coalesce(g.rolname, 'PUBLIC') as role
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
left join pg_catalog.pg_roles g on g.oid = a.grantee
where p.proname in (${listed([...fileFunctions, ...operatingFunctions])})
  and (n.nspname = 'pg_catalog' or exists (
    select from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e'
      and e.extname in ('adminpack', 'dblink')))
  and (a.grantee = 0 or not g.rolsuper and left(g.rolname, 3) <> 'pg_')
group by 1, 2
order by bool_and(a.grantee <> 0), 1, 2`,
};

export const parameterPrivileges: PostgresQuery = {
  name: 'parameter privileges',
  reads: 'Settings that other roles than superusers may change by a grant (PostgreSQL 15 or newer).',
  privilege: null,
  sql: `select p.parname as name, coalesce(g.rolname, 'PUBLIC') as role,
  bool_or(a.privilege_type = 'ALTER SYSTEM') as alter_system
from pg_catalog.pg_parameter_acl p
cross join lateral aclexplode(p.paracl) as a
left join pg_catalog.pg_roles g on g.oid = a.grantee
where a.grantee = 0 or not g.rolsuper
group by 1, 2
order by 1, 2`,
};

/** Types that refer to objects by their oid, which pg_upgrade refuses in tables: not `regclass`, `regrole` and `regtype`. */
const blockingTypes = [
  ...['regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator'],
  ...['regproc', 'regprocedure'],
];

export const specialObjects: PostgresQuery = {
  name: 'special objects',
  reads:
    'Default privileges and large objects for PUBLIC or an API role, event triggers that call a function of an ordinary role, publications of all tables, foreign keys to unique constraints of schemas for authentication, and columns with a type that pg_upgrade refuses. Names and privileges only.',
  privilege: null,
  bytes: 256 * 1024,
  sql: `with audience as (
  ${audience}
),
special (rank, kind, name, role, detail, owner) as (
  select 1, 'default privilege', concat(case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
      when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas' else 'objects' end,
    ' of ', o.rolname, ' in schema ' || n.nspname), case who.name when 'public' then 'PUBLIC' else who.name end,
    string_agg(a.privilege_type, ', ' order by a.privilege_type), d.defaclrole
  from pg_catalog.pg_default_acl d
  join pg_catalog.pg_roles o on o.oid = d.defaclrole
  left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
  cross join lateral aclexplode(d.defaclacl) as a
  left join pg_catalog.pg_roles g on g.oid = a.grantee
  join audience who on who.name = coalesce(g.rolname, 'public')
  -- PUBLIC has these by default.
  where a.grantee <> 0 or d.defaclobjtype not in ('f', 'T')
  group by d.defaclobjtype, o.rolname, n.nspname, who.name, d.defaclrole
  union all
  select 1, 'event trigger', e.evtname, null, '', p.proowner
  from pg_catalog.pg_event_trigger e
  join pg_catalog.pg_proc p on p.oid = e.evtfoid
  join pg_catalog.pg_roles o on o.oid = p.proowner
  where e.evtenabled <> 'D' and not o.rolsuper
  union all
  select 1, 'publication', p.pubname, null, '', p.pubowner
  from pg_catalog.pg_publication p where p.puballtables
  union all
  select 1, 'large object', 'large objects', case who.name when 'public' then 'PUBLIC' else who.name end,
    string_agg(distinct a.privilege_type, ', '), 0
  from pg_catalog.pg_largeobject_metadata l
  cross join lateral aclexplode(l.lomacl) as a
  left join pg_catalog.pg_roles g on g.oid = a.grantee
  join audience who on who.name = coalesce(g.rolname, 'public')
  group by who.name
  union all
  select 2, 'foreign key to auth', concat('constraint ', k.conname, ' on ', n.nspname, '.', c.relname), null, '', c.relowner
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_class t on t.oid = k.confrelid
  join pg_catalog.pg_namespace s on s.oid = t.relnamespace and s.nspname in (${listed(authSchemas)})
  join pg_catalog.pg_index i on i.indexrelid = k.conindid and not i.indisprimary
  where k.contype = 'f' and n.oid <> s.oid and ${ofPeople}
  union all
  select 3, 'reg type', concat(n.nspname, '.', c.relname, '.', a.attname), null, t.typname, c.relowner
  from pg_catalog.pg_type t
  join pg_catalog.pg_namespace s on s.oid = t.typnamespace and s.nspname = 'pg_catalog'
  join pg_catalog.pg_attribute a on a.atttypid = t.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'm')
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where t.typname in (${listed(blockingTypes)}) and ${ofPeople}
)
select kind, name, role, detail, (select r.rolname from pg_catalog.pg_roles r where r.oid = special.owner) as owner
from special
order by rank, ${fairly('owner', 'kind, name')}, kind, name, role`,
};

export const mutableFunctions: PostgresQuery = {
  name: 'mutable functions',
  reads:
    'Functions with their caller’s privileges and no `search_path` of their own, in schemas that API roles may use, except those of extensions: names and argument types.',
  privilege: null,
  bytes: 256 * 1024,
  sql: `with api as (
  ${apiRoles}
),
used as (
  select n.oid, n.nspname from pg_catalog.pg_namespace n
  where ${ofPeople} and exists (select from api where has_schema_privilege(api.name, n.oid, 'USAGE'))
)
select ${signatureOf('p.oid', 600)} as signature, used.nspname as schema
from pg_catalog.pg_proc p
join used on used.oid = p.pronamespace
join pg_catalog.pg_language l on l.oid = p.prolang
cross join (select null as prosqlbody) older
where not p.prosecdef and p.prokind in ('f', 'p') and l.lanname not in ('c', 'internal')
  -- PostgreSQL 13 has no such column: there, the name is that of "older".
  and not (select prosqlbody is not null from pg_catalog.pg_proc b where b.oid = p.oid)
  and not exists (select from unnest(p.proconfig) as c where left(c, 12) = 'search_path=')
  and not exists (select from pg_catalog.pg_depend e
    where e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and e.objid = p.oid and e.deptype = 'e')
order by ${fairly('p.proowner', 'p.oid')}, p.oid
limit ${maxRows + 1}`,
};
