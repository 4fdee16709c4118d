import { targetLimits } from '../../../captures/limits.ts';
import { notOfExtension, ofPeople, type PostgresQuery, signatureOf } from './query.ts';

/** Longest list of names that is kept of one row. */
const maxNames = 500;

export const hbaRules: PostgresQuery = {
  name: 'hba rules',
  reads:
    'The rules of `pg_hba.conf`. Of their options, only whether a client certificate is required. Rules that cannot match, such as `hostssl` while `ssl` is off, are left out.',
  privilege: 'EXECUTE on function pg_hba_file_rules()',
  sql: `select type, coalesce(database[1:${maxNames}], '{}') as databases, coalesce(user_name[1:${maxNames}], '{}') as users,
  address, netmask, coalesce(auth_method, '') as method,
  coalesce('clientcert=verify-full' = any (options) or 'clientcert=verify-ca' = any (options), false) as client_certificate,
  type is null or cardinality(user_name) > ${maxNames} or cardinality(database) > ${maxNames} as broken
from pg_catalog.pg_hba_file_rules() with ordinality
where error is null or type is null
order by ordinality`,
};

export const hbaFile: PostgresQuery = {
  name: 'age of pg_hba.conf',
  reads:
    'Whether `pg_hba.conf` or a file it includes changed after the server last loaded its configuration. If the file is outside the data directory, `parapet_hba.conf` in the data directory, which can be a symbolic link, is checked instead.',
  privilege:
    'EXECUTE on functions pg_stat_file(text, boolean) and pg_hba_file_rules(), and pg_read_all_settings',
  sql: `select count(s.modification) = count(*) as known,
  coalesce(bool_or(s.modification > pg_conf_load_time()), false) as changed
from (
  select current_setting('hba_file') as name
  union
  select to_jsonb(r) ->> 'file_name' from pg_catalog.pg_hba_file_rules() r
) f
left join lateral pg_catalog.pg_stat_file(case
  when pg_has_role('pg_read_server_files', 'USAGE')
    or strpos(f.name, current_setting('data_directory') || '/') = 1 then f.name
  when f.name = current_setting('hba_file') then 'parapet_hba.conf' end, true) s on true
where f.name is not null`,
};

export const plaintextSessions: PostgresQuery = {
  name: 'plaintext sessions',
  reads: 'Roles and databases of current unencrypted sessions from other machines.',
  privilege: 'membership in pg_read_all_stats',
  sql: `select distinct coalesce(a.usename, '') as role, coalesce(a.datname, '') as database
from pg_catalog.pg_stat_activity a
join pg_catalog.pg_stat_ssl s on s.pid = a.pid
left join pg_catalog.pg_stat_gssapi g on g.pid = a.pid
where a.backend_type in ('client backend', 'walsender') and a.client_addr is not null
  and not s.ssl and not coalesce(g.encrypted, false)
  and not a.client_addr <<= '127.0.0.0/8' and a.client_addr <> '::1'
  and a.client_addr is distinct from inet_server_addr()
order by 1, 2`,
};

export const roles: PostgresQuery = {
  name: 'roles',
  reads:
    'Every role except predefined ones: attributes, limits, expiry and granted roles, with a hash of all of them and their options.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `select r.rolname as name, r.oid = 10 as bootstrap, r.rolsuper as superuser, r.rolcanlogin as can_log_in,
  r.rolcreaterole as create_role, r.rolcreatedb as create_db, r.rolreplication as replication,
  r.rolbypassrls as bypass_rls, r.rolconnlimit as connection_limit,
  coalesce(r.rolvaliduntil <> 'infinity', false) as expires,
  r.rolvaliduntil at time zone 'UTC' as valid_until,
  exists (select from pg_catalog.pg_auth_members m where m.roleid = r.oid) as has_members,
  r.oid in (select c.relowner from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and left(n.nspname, 3) <> 'pg_') as owns_relations,
  coalesce((select (array_agg(g.rolname::text order by left(g.rolname, 3) <> 'pg_', g.rolname))[1:${targetLimits.memberships + 1}]
    from pg_catalog.pg_auth_members m join pg_catalog.pg_roles g on g.oid = m.roleid
    where m.member = r.oid), '{}') as member_of,
  (select hashtextextended(string_agg(o.entry, ' ' order by o.entry collate "C"), 0)::text
    -- Options such as INHERIT and SET depend on the version.
    from (select quote_ident(g.rolname) || ' ' || (to_jsonb(m) - '{oid,roleid,member,grantor}'::text[])::text as entry
      from pg_catalog.pg_auth_members m join pg_catalog.pg_roles g on g.oid = m.roleid
      where m.member = r.oid) o) as memberships_hash
from pg_catalog.pg_roles r
where left(r.rolname, 3) <> 'pg_'
order by r.rolname`,
};

export const passwordKinds: PostgresQuery = {
  name: 'password kinds',
  reads:
    'For each role that can log in, the type of its stored password: none, MD5, SCRAM or other. The server makes the comparison; verifiers are not sent.',
  privilege: 'SELECT on columns rolname, rolcanlogin and rolpassword of pg_authid (superusers have it)',
  sql: `select rolname as role, case
    when rolpassword is null then 'none'
    when left(rolpassword, 3) = 'md5' then 'md5'
    when left(rolpassword, 14) = 'SCRAM-SHA-256$' then 'scram'
    else 'other' end as kind
from pg_catalog.pg_authid
where rolcanlogin
order by rolname`,
};

export const schemas: PostgresQuery = {
  name: 'schemas',
  reads: 'Schemas, and whether PUBLIC may create objects in them.',
  privilege: null,
  sql: `select n.nspname as name, has_schema_privilege('public', n.oid, 'CREATE') as public_may_create
from pg_catalog.pg_namespace n
where left(n.nspname, 3) <> 'pg_' and n.nspname <> 'information_schema'
order by n.nspname`,
};

/** The entries of an access control list, in an order that does not depend on when they were granted. */
const entriesOf = (list: string) =>
  `(select string_agg(entry::text, ' ' order by entry::text collate "C") from unnest(${list}) as entry)`;

/** Objects, and then groups of them, that are listed one by one. */
const listed = { objects: 1_500, groups: 300 };

export const grants: PostgresQuery = {
  name: 'grants',
  reads:
    'Of the database, and of schemas, tables, views, sequences and functions with granted privileges, and of default privileges, the name and a hash of the grants, so that changes are noticed. Superuser-owned objects of extensions are left out. The server computes the hash; grants are not sent. If there are many, the largest groups, such as all functions of a schema, have one hash each.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `with granted (kind, schema, name, function, entries) as (
  select 'database', '', quote_ident(d.datname), null::oid, ${entriesOf('d.datacl')}
  from pg_catalog.pg_database d where d.datname = current_database()
  union all
  select 'schema', '', quote_ident(n.nspname), null, ${entriesOf('n.nspacl')}
  from pg_catalog.pg_namespace n where ${ofPeople}
  union all
  select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
      when 'f' then 'foreign table' else 'table' end,
    quote_ident(n.nspname), quote_ident(c.relname), null, concat_ws(' ', ${entriesOf('c.relacl')},
    (select string_agg(quote_ident(a.attname) || ' ' || ${entriesOf('a.attacl')}, ' ' order by a.attnum)
      from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attacl is not null and not a.attisdropped))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${ofPeople} and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
  union all
  select 'function', quote_ident(n.nspname), quote_ident(p.proname) || ' ' || p.proargtypes::text, p.oid,
    ${entriesOf('p.proacl')}
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where ${ofPeople} and ${notOfExtension('pg_proc', 'p.oid', 'p.proowner')}
  union all
  select 'default privilege', '', concat_ws(' ', 'of', quote_ident(r.rolname), 'on', case d.defaclobjtype when 'r' then 'tables'
      when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas'
      else 'other objects' end, 'in schema ' || quote_ident(n.nspname)), null, concat('set ', ${entriesOf('d.defaclacl')})
  from pg_catalog.pg_default_acl d join pg_catalog.pg_roles r on r.oid = d.defaclrole
  left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
),
hashed as (
  select kind, schema, name, function, hashtextextended(entries, 0) as hash from granted where entries <> ''
),
groups as (
  select kind, schema,
    hashtextextended(string_agg(h.own::text, ' ' order by h.own), 0)::text as hash,
    sum(count(*)) over (order by count(*), kind, schema) <= ${listed.objects} as is_listed,
    row_number() over (order by count(*) desc, kind, schema) <= ${listed.groups} as is_named
  from (select kind, schema, hashtextextended(name, hash) as own from hashed) h
  group by kind, schema
)
select kind || ' ' || case when function is null then concat_ws('.', nullif(schema, ''), name)
    else ${signatureOf('function', 600)} end as name, h.hash::text as hash
from hashed h join groups g using (kind, schema)
where g.is_listed
union all
select 'all ' || kind || 's' || case when schema = '' then '' else ' of schema ' || schema end, hash
from groups
where not is_listed and is_named
union all
select 'all other objects', hashtextextended(string_agg(hash, ' ' order by kind, schema), 0)::text
from groups
where not is_listed and not is_named
having count(*) > 0
order by 1`,
};
