import {
  asInvoker,
  notOfExtension,
  ofPeople,
  type PostgresQuery,
  signatureOf,
  storedConditions,
} from './query.ts';

/** Objects, and then groups of them, that are listed one by one. */
const listed = { objects: 1_500, groups: 300 };

/**
 * Hashes of objects, so that changes are noticed however many there are: any role with CREATE can make more than are listed.
 *
 * @param objects selects `kind` (a plural), `schema` (may be empty), `name` (distinct within these), `title`, and `entries`, which are
 *   hashed; nothing is known of an object without entries. The title of a function is null and its oid in `function`
 */
const hashesOf = (
  objects: string,
  others: string,
) => `with objects (kind, schema, name, title, function, entries) as (
  ${objects}
),
hashed as (
  select kind, schema, name, title, function, hashtextextended(entries, 0) as hash from objects where entries <> ''
),
groups as (
  select kind, schema,
    hashtextextended(string_agg(h.own::text, ' ' order by h.own), 0)::text as hash,
    sum(count(*)) over (order by count(*), kind, schema) <= ${listed.objects} as is_listed,
    row_number() over (order by count(*) desc, kind, schema) <= ${listed.groups} as is_named
  from (select kind, schema, hashtextextended(name, hash) as own from hashed) h
  group by kind, schema
)
select coalesce(title, 'function ' || ${signatureOf('function', 600)}) as name, h.hash::text as hash
from hashed h join groups g using (kind, schema)
where g.is_listed
union all
select 'all ' || kind || case when schema = '' then '' else ' of schema ' || schema end, hash
from groups
where not is_listed and is_named
union all
select 'all other ${others}', hashtextextended(string_agg(hash, ' ' order by kind, schema), 0)::text
from groups
where not is_listed and not is_named
having count(*) > 0
order by 1`;

/** The entries of an access control list, in an order that does not depend on when they were granted. */
const entriesOf = (list: string) =>
  `(select string_agg(entry::text, ' ' order by entry::text collate "C") from unnest(${list}) as entry)`;

/** Grants on columns of one owner's tables that are hashed, of the tables with the fewest first. */
const columnGrants = 20_000;

/** Objects that are in no schema. */
const withoutSchema = (kind: string, catalog: string, name: string, list: string) =>
  `select '${kind}s', '', quote_ident(${name}), '${kind} ' || quote_ident(${name}), null, ${entriesOf(list)}
  from pg_catalog.${catalog}`;

export const grants: PostgresQuery = {
  name: 'grants',
  reads:
    'Of the database, and of schemas, tables, views, sequences, functions, languages, foreign servers and foreign data wrappers with granted privileges, and of default privileges, the name and a hash of the grants, so that changes are noticed. Superuser-owned tables and functions of extensions are left out. The server computes the hash; grants are not sent. If one owner’s tables have very many grants on columns, the hash is of the transactions that last changed these columns. If there are many objects, the largest groups, such as all functions of a schema, have one hash each.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: hashesOf(
    `select 'databases', '', quote_ident(d.datname), 'database ' || quote_ident(d.datname), null::oid, ${entriesOf('d.datacl')}
  from pg_catalog.pg_database d where d.datname = current_database()
  union all
  select 'schemas', '', quote_ident(n.nspname), 'schema ' || quote_ident(n.nspname), null, ${entriesOf('n.nspacl')}
  from pg_catalog.pg_namespace n where ${ofPeople}
  union all
  select c.kind || 's', quote_ident(n.nspname), quote_ident(c.relname),
    concat(c.kind, ' ', quote_ident(n.nspname), '.', quote_ident(c.relname)), null, concat_ws(' ', ${entriesOf('c.relacl')},
    (select string_agg(quote_ident(a.attname) || ' ' || case when c.grants <= ${columnGrants} then ${entriesOf('a.attacl')}
        else 'transaction ' || a.xmin::text end, ' ' order by a.attnum)
      from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attacl is not null and not a.attisdropped))
  from (
    select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
      when 'f' then 'foreign table' else 'table' end as kind, c.*,
      sum(a.grants) over (partition by c.relowner order by a.grants, c.oid) as grants
    from pg_catalog.pg_class c
    left join (select attrelid, sum(cardinality(attacl)) as grants from pg_catalog.pg_attribute
      where attacl is not null and not attisdropped group by attrelid) a on a.attrelid = c.oid
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  ) c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where ${ofPeople} and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
  union all
  select 'functions', quote_ident(n.nspname), quote_ident(p.proname) || ' ' || p.proargtypes::text, null, p.oid,
    ${entriesOf('p.proacl')}
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where ${ofPeople} and ${notOfExtension('pg_proc', 'p.oid', 'p.proowner')}
  union all
  ${withoutSchema('language', 'pg_language', 'lanname', 'lanacl')}
  union all
  ${withoutSchema('foreign server', 'pg_foreign_server', 'srvname', 'srvacl')}
  union all
  ${withoutSchema('foreign data wrapper', 'pg_foreign_data_wrapper', 'fdwname', 'fdwacl')}
  union all
  select 'default privileges', '', d.name, 'default privilege ' || d.name, null, d.entries
  from (
    select concat_ws(' ', 'of', quote_ident(r.rolname), 'on', case d.defaclobjtype when 'r' then 'tables'
      when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas'
      else 'other objects' end, 'in schema ' || quote_ident(n.nspname)) as name,
      concat('set ', ${entriesOf('d.defaclacl')}) as entries
    from pg_catalog.pg_default_acl d join pg_catalog.pg_roles r on r.oid = d.defaclrole
    left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
  ) d`,
    'objects',
  ),
};

/** Bytes of stored conditions of one policy that are hashed, and of all of one owner. They may be compressed to a hundredth. */
const mostStored = { each: 8 * 1024, all: 512 * 1024 };

export const rowSecurityHashes: PostgresQuery = {
  name: 'row security',
  reads:
    'Tables with row security, views that run with the privileges of the caller, and policies, except superuser-owned ones of extensions: the name and a hash, so that changes are noticed. The server computes the hash, of policies also from their conditions as stored, or if these are long, from the transaction that last changed the policy. A condition that is written differently counts as changed, as does one with a function that was created again. If there are many, the largest groups, such as all policies of a schema, have one hash each.',
  privilege: null,
  bytes: 2048 * 1024,
  sql: hashesOf(
    `select 'tables with row security', quote_ident(n.nspname), quote_ident(c.relname),
    concat('row security of ', quote_ident(n.nspname), '.', quote_ident(c.relname)), null::oid,
    concat_ws(' ', c.relrowsecurity, c.relforcerowsecurity, ${asInvoker('c')})
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where (c.relrowsecurity or c.relforcerowsecurity or ${asInvoker('c')})
    and ${ofPeople} and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
  union all
  select 'policies', p.schema, p.name || ' ' || p.relation,
    concat('policy on ', p.schema, '.', p.relation, ': ', p.name), null,
    concat_ws(' ', p.polpermissive, p.polcmd, p.roles, case when p.stored <= ${mostStored.each}
      and sum(p.stored) over (partition by p.relowner order by p.stored, p.oid) <= ${mostStored.all}
      then concat(p.polqual, ' check ', p.polwithcheck) else 'transaction ' || p.transaction end)
  from (
    select p.*, p.xmin::text as transaction, quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation, c.relowner,
      quote_ident(p.polname) as name, ${storedConditions} as stored,
      array(select quote_ident(r.rolname) from pg_catalog.pg_roles r where r.oid = any (p.polroles) order by 1)::text as roles
    from pg_catalog.pg_policy p
    join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where ${ofPeople} and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
  ) p`,
    'policies and tables',
  ),
};
