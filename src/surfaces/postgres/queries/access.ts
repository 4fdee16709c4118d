import { targetLimits } from '../../../captures/limits.ts';
import { apiRoles, fairly, ofPeople, type PostgresQuery } from './query.ts';

/** Longest list of names that is kept of one row. */
const maxNames = 500;

export const hbaRules: PostgresQuery = {
  name: 'hba rules',
  reads:
    'The rules of `pg_hba.conf`. Of their options, only the name of the map, and whether they require a client certificate, encrypt the connection to an LDAP server and ignore Kerberos realms. Rules that cannot match, such as `hostssl` while `ssl` is off, are left out.',
  privilege: 'EXECUTE on function pg_hba_file_rules()',
  sql: `select type, coalesce(database[1:${maxNames}], '{}') as databases, coalesce(user_name[1:${maxNames}], '{}') as users,
  address, netmask, coalesce(auth_method, '') as method,
  coalesce('clientcert=verify-full' = any (options) or 'clientcert=verify-ca' = any (options), false) as client_certificate,
  (select substr(o, 5) from unnest(options) as o where left(o, 4) = 'map=' limit 1) as map,
  exists (select from unnest(options) as o where o in ('ldaptls=true', 'ldapscheme=ldaps'))
    as ldap_tls,
  coalesce(auth_method in ('gss', 'sspi'), false) and not exists (select from unnest(options) as o
    where o = 'include_realm=true' or left(o, 10) = 'krb_realm=') as any_realm,
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
  sql: `with api as (
  ${apiRoles}
)
select r.rolname as name, r.oid = 10 as bootstrap, r.rolsuper as superuser, r.rolcanlogin as can_log_in,
  r.rolcreaterole as create_role, r.rolcreatedb as create_db, r.rolreplication as replication,
  r.rolbypassrls as bypass_rls, r.rolconnlimit as connection_limit,
  coalesce(r.rolvaliduntil <> 'infinity', false) as expires,
  r.rolvaliduntil at time zone 'UTC' as valid_until,
  exists (select from pg_catalog.pg_auth_members m where m.roleid = r.oid) as has_members,
  r.oid in (select c.relowner from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and left(n.nspname, 3) <> 'pg_') as owns_relations,
  r.rolname in (select name from api) as of_api,
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

export const memberships: PostgresQuery = {
  name: 'memberships',
  reads: 'Roles that were granted to other roles, and whether with ADMIN, INHERIT and SET.',
  privilege: null,
  bytes: 384 * 1024,
  sql: `select g.rolname as role, r.rolname as member, bool_or(m.admin_option) as admin,
  -- Options of grants since PostgreSQL 16. Before, every member may use SET ROLE.
  bool_or(coalesce((to_jsonb(m) ->> 'inherit_option')::bool, r.rolinherit)) as inherits,
  bool_or(coalesce((to_jsonb(m) ->> 'set_option')::bool, true)) as can_set
from pg_catalog.pg_auth_members m
join pg_catalog.pg_roles g on g.oid = m.roleid
join pg_catalog.pg_roles r on r.oid = m.member
where left(r.rolname, 3) <> 'pg_'
group by g.oid, g.rolname, g.rolsuper, r.rolname
order by not g.rolsuper, left(g.rolname, 3) <> 'pg_', 1, 2`,
};

/** Patterns for every name. */
const anyName = ['.*', '(.*)', '.+', '(.+)', '^.*', '^(.*)', '^.*$', '^(.*)$', '^.+$', '^(.+)$', ''];

export const identMappings: PostgresQuery = {
  name: 'ident mappings',
  reads:
    'The maps of `pg_ident.conf`: their names and roles, and whether they match every system user. Names of system users are not sent.',
  privilege: 'EXECUTE on function pg_ident_file_mappings(), which PostgreSQL 15 and newer have',
  sql: `select coalesce(map_name, '') as map,
  coalesce(left(sys_name, 1) = '/' and substr(sys_name, 2) in (${anyName.map(name => `'${name}'`).join(', ')}), false)
    as any_system_user,
  coalesce(strpos(pg_username, chr(92) || '1') > 0, false) as own_role, left(coalesce(pg_username, ''), 200) as role,
  error is not null as broken
from pg_catalog.pg_ident_file_mappings() with ordinality
order by ordinality`,
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
  reads: 'Schemas, and whether PUBLIC or an API role may create objects in them.',
  privilege: null,
  sql: `with api as (
  ${apiRoles}
)
select n.nspname as name, has_schema_privilege('public', n.oid, 'CREATE') as public_may_create,
  array(select api.name from api where not has_schema_privilege('public', n.oid, 'CREATE')
    and has_schema_privilege(api.name, n.oid, 'CREATE') order by 1) as api_creators
from pg_catalog.pg_namespace n
where ${ofPeople}
order by ${fairly('n.nspowner', 'n.nspname')}, n.nspname`,
};
