import { maxCondition } from '../policy-condition.ts';
import { audience, notOfExtension, ofPeople, type PostgresQuery } from './query.ts';

/**
 * A view that runs with the rights of the caller: a condition on the `pg_class` of that alias (PostgreSQL 15 or newer).
 */
const asInvoker = (alias: string) => `coalesce((select o.option_value::bool
    from pg_catalog.pg_options_to_table(${alias}.reloptions) o where o.option_name = 'security_invoker'), false)`;

/** The tables that a view finally reads, and whose rights apply: an inner view may switch to its own owner. */
const below = `recursive below (view, relation, owner) as (
  select v.oid, v.oid, v.relowner from pg_catalog.pg_class v where v.relkind in ('v', 'm')
  union
  select b.view, c.oid, case
      when c.relkind = 'm' or c.relkind = 'v' and not ${asInvoker('c')} then c.relowner
      else b.owner end
  from below b
  join pg_catalog.pg_rewrite w on w.ev_class = b.relation
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> w.ev_class
  join pg_catalog.pg_class c on c.oid = d.refobjid
  where (select relkind from pg_catalog.pg_class where oid = b.relation) in ('v', 'm')
)`;

export const relations: PostgresQuery = {
  name: 'relations',
  reads:
    'Tables and views with row security, or with privileges for PUBLIC or an API role, and these privileges. For views, also whose privileges they run with and which schemas they read. Extensions are left out.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `with ${below},
audience as (
  ${audience}
)
select n.nspname as schema, c.relname as name,
  case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
    else 'table' end as kind,
  c.relrowsecurity as row_security,
  ${asInvoker('c')} as security_invoker,
  coalesce(a.access, '[]') as access,
  exists (select from below b
    join pg_catalog.pg_class t on t.oid = b.relation and t.relrowsecurity
    join pg_catalog.pg_roles o on o.oid = b.owner
    where b.view = c.oid and (o.rolsuper or o.rolbypassrls
      or pg_has_role(b.owner, t.relowner, 'USAGE') and not t.relforcerowsecurity)) as bypasses_row_security,
  coalesce((select array_agg(distinct s.nspname::text) from below b
    join pg_catalog.pg_class t on t.oid = b.relation and t.relkind in ('r', 'p', 'f')
    join pg_catalog.pg_namespace s on s.oid = t.relnamespace
    where b.view = c.oid), '{}') as reads_schemas
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
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
where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ofPeople}
  and (c.relrowsecurity or a.access is not null)
  and ${notOfExtension('pg_class', 'c.oid')}
order by 1, 2`,
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
  and ${notOfExtension('pg_class', 'c.oid')}
group by 1, 2, 3
order by 1, 2, 3`,
};

/** One character more than the limit, to detect longer conditions. `user_metadata` counts at any position. */
const condition = (expression: string) => `case
    when pg_get_expr(${expression}, p.polrelid) ~* 'user_meta_?data' then 'user_metadata'
    else left(pg_get_expr(${expression}, p.polrelid), ${maxCondition + 1}) end`;

export const policies: PostgresQuery = {
  name: 'policies',
  reads:
    'Row security policies, except those of extensions. Conditions are classified and then discarded, because they may contain literals.',
  privilege: null,
  bytes: 1536 * 1024,
  sql: `select n.nspname as schema, c.relname as relation, p.polname as name, c.relrowsecurity as row_security,
  p.polpermissive as permissive,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
    else 'all' end as command,
  array(select coalesce(r.rolname::text, 'PUBLIC') from unnest(p.polroles) as g (oid)
    left join pg_catalog.pg_roles r on r.oid = g.oid order by 1) as roles,
  ${condition('p.polqual')} as using,
  ${condition('p.polwithcheck')} as check
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where ${ofPeople}
  and ${notOfExtension('pg_class', 'c.oid')}
order by 1, 2, 3`,
};
