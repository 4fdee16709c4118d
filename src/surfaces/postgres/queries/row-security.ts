import { authSchemas } from '../../../captures/postgres.ts';
import { maxCondition } from '../policy-condition.ts';
import {
  asInvoker,
  audience,
  fairly,
  notOfExtension,
  ofPeople,
  type PostgresQuery,
  storedConditions,
} from './query.ts';

/** A view that reads with the rights of its owner. */
const asOwner = (alias: string) => `(${alias}.relkind = 'm' or not ${asInvoker(alias)})`;

/**
 * What roles find by reading a relation: tables of authentication, or rows that row security should hide (an empty
 * text). From the tables upwards, so that the cost of views that read each other does not multiply. Without an owner, it
 * is true for all roles.
 */
const reached = `recursive reached (relation, owner, found) as (
  (select t.oid, null::pg_catalog.oid, n.nspname::text
  from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  where t.relkind in ('r', 'p', 'f') and n.nspname in (${authSchemas.map(name => `'${name}'`).join(', ')})
  union all
  select t.oid, o.oid, ''
  from (select distinct relowner as oid from pg_catalog.pg_class where relkind in ('v', 'm')) v
  join pg_catalog.pg_roles o on o.oid = v.oid
  join pg_catalog.pg_class t on t.relrowsecurity and (o.rolsuper or o.rolbypassrls
    or not t.relforcerowsecurity and pg_has_role(o.oid, t.relowner, 'USAGE')))
  union
  select v.oid, case when not v.as_owner then r.owner end, r.found
  from reached r
  cross join lateral (select distinct w.ev_class as oid
    from pg_catalog.pg_depend d join pg_catalog.pg_rewrite w on w.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = r.relation
      and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and w.ev_class <> r.relation) w
  cross join lateral (select v.oid, v.relowner, ${asOwner('v')} as as_owner
    from pg_catalog.pg_class v where v.oid = w.oid and v.relkind in ('v', 'm') offset 0) v
  where r.owner is null or r.owner = v.relowner or not v.as_owner
),
views as (
  select r.relation, bool_or(r.found = '') as bypasses,
    array_agg(distinct r.found order by r.found) filter (where r.found <> '') as schemas
  from reached r join pg_catalog.pg_class v on v.oid = r.relation and v.relkind in ('v', 'm')
  where r.owner is null or r.owner = v.relowner
  group by r.relation
)`;

export const relations: PostgresQuery = {
  name: 'relations',
  reads:
    'Tables with row security, views that run with the privileges of the caller, and other tables and views with privileges for PUBLIC or an API role, and these privileges. For views, also whose privileges they run with, and whether they read tables of authentication services. For tables with row security, the owner if it can log in and policies do not apply to it. Superuser-owned objects of extensions are left out.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `with ${reached},
audience as (
  ${audience}
)
select n.nspname as schema, c.relname as name,
  case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
    else 'table' end as kind,
  c.relrowsecurity as row_security,
  case when c.relrowsecurity and not c.relforcerowsecurity and o.rolcanlogin and not o.rolsuper then o.rolname end as exempt_owner,
  ${asInvoker('c')} as security_invoker,
  coalesce(a.access, '[]') as access,
  coalesce(v.bypasses, false) as bypasses_row_security, coalesce(v.schemas, '{}') as reads_schemas
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles o on o.oid = c.relowner
cross join lateral (
  select json_agg(json_build_object('role', case p.name when 'public' then 'PUBLIC' else p.name end,
    'read', p.read, 'write', p.write, 'truncate', p.truncate) order by p.name) as access
  from (
    select who.name,
      has_any_column_privilege(who.name, c.oid, 'SELECT') as read,
      has_any_column_privilege(who.name, c.oid, 'INSERT') or has_any_column_privilege(who.name, c.oid, 'UPDATE')
        or has_table_privilege(who.name, c.oid, 'DELETE') as write,
      has_table_privilege(who.name, c.oid, 'TRUNCATE') as truncate
    from audience who
    where has_schema_privilege(who.name, n.oid, 'USAGE')
  ) p
  where p.read or p.write or p.truncate
) a
left join views v on v.relation = c.oid
where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ofPeople}
  and (c.relrowsecurity or ${asInvoker('c')} or a.access is not null)
  and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
order by ${fairly('c.relowner', 'n.nspname, c.relname')}, 1, 2`,
};

export const columns: PostgresQuery = {
  name: 'columns',
  reads: 'Names of columns that PUBLIC or an API role may read. Values are not read.',
  privilege: null,
  bytes: 768 * 1024,
  sql: `with audience as (
  ${audience}
)
select n.nspname as schema, c.relname as relation, a.attname as name,
  array_agg(case who.name when 'public' then 'PUBLIC' else who.name end order by who.name) as readers
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join audience who on has_schema_privilege(who.name, n.oid, 'USAGE')
  and has_column_privilege(who.name, c.oid, a.attnum, 'SELECT')
where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ofPeople}
  and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
group by 1, 2, 3, c.relowner
order by ${fairly('c.relowner', 'n.nspname, c.relname, a.attname')}, 1, 2, 3`,
};

/** Bytes of stored conditions that are read of one policy. The server refuses to write conditions of 240 KB if they are nested. */
const conditionBytes = { stored: 32 * 1024, each: 128 * 1024 };

/** The cost of all conditions that are read, in bytes: the server takes a second for about 40 MB. */
const mostConditions = 16 * 1024 * 1024;

/**
 * One character more than the limit, to detect longer conditions. `user_metadata` counts at any position. Nothing of a
 * condition that is skipped.
 */
const condition = (expression: string) => `case
    when ${expression} is null then null
    when not p.is_read then ''
    when pg_get_expr(${expression}, p.polrelid) ~* 'user_meta_?data' then 'user_metadata'
    else left(pg_get_expr(${expression}, p.polrelid), ${maxCondition + 1}) end`;

export const policies: PostgresQuery = {
  name: 'policies',
  reads:
    'Row security policies, except those on superuser-owned tables of extensions. Conditions are classified and then discarded, because they may contain literals. Very long conditions, and those that read a table that another session has locked, are skipped.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `with locked as (
  select l.relation from pg_catalog.pg_locks l join pg_catalog.pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'relation' and l.mode = 'AccessExclusiveLock'
),
sized as (
  select p.*, n.nspname, c.relname, c.relrowsecurity, c.relowner, r.columns, r.is_locked,
    coalesce(octet_length(w.written), ${conditionBytes.each + 1})::bigint as bytes,
    -- With more, the cost is beyond every limit, and its cube still fits.
    least(coalesce(octet_length(w.written) - octet_length(replace(w.written, '"', '')), 0) / 2, 10000)::bigint as names
  from pg_catalog.pg_policy p
  join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  -- Without the offset, the text would be made for each use of it.
  cross join lateral (select case when ${storedConditions} <= ${conditionBytes.stored}
    then concat(p.polqual, p.polwithcheck) end as written offset 0) w
  -- The table, those in sub-selects, and those whose rows are the type of a value.
  cross join lateral (
    select max(t.relnatts)::bigint as columns, bool_or(t.oid in (select relation from locked)) as is_locked
    from pg_catalog.pg_depend d
    left join pg_catalog.pg_proc f on d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass and f.oid = d.refobjid
    left join pg_catalog.pg_type y on y.oid = case d.refclassid when 'pg_catalog.pg_type'::pg_catalog.regclass
      then d.refobjid else f.prorettype end
    left join pg_catalog.pg_type e on e.oid in (y.typelem, y.typbasetype)
    join pg_catalog.pg_class t on t.oid in (case d.refclassid when 'pg_catalog.pg_class'::pg_catalog.regclass
      then d.refobjid end, y.typrelid, e.typrelid)
    where d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objid = p.oid
  ) r
  where ${ofPeople}
    and ${notOfExtension('pg_class', 'c.oid', 'c.relowner')}
),
priced as (
  -- To write a condition, the server makes the names of all columns distinct: in quadratic time, or cubic if they are alike.
  select *, bytes + columns * columns / 8 + columns * bytes / 32 + names * names * names / 50 as cost from sized
),
shared as (
  -- All policies of a table together, since some narrow others.
  select *, sum(cost) over (partition by relowner order by of_table, polrelid) as share
  from (select *, sum(cost) over (partition by polrelid) as of_table from priced) t
)
select p.nspname as schema, p.relname as relation, p.polname as name, p.relrowsecurity as row_security,
  p.polpermissive as permissive,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
    else 'all' end as command,
  array(select coalesce(r.rolname::text, 'PUBLIC') from unnest(p.polroles) as g (oid)
    left join pg_catalog.pg_roles r on r.oid = g.oid order by 1) as roles,
  ${condition('p.polqual')} as using,
  ${condition('p.polwithcheck')} as check
from (
  select *, bytes <= ${conditionBytes.each} and not is_locked
    and sum(cost) over (order by share, polrelid) <= ${mostConditions} as is_read
  from shared
) p
order by p.share, p.polrelid, p.oid`,
};
