-- A version for each kind of thing that lists return, instead of one for all: polls of findings are answered from memory while scans
-- make progress.
drop table data_versions;
create table data_versions (
  organization_id uuid not null references organizations (id),
  subject text not null check (subject in ('systems', 'sources', 'findings', 'scans')),
  -- Transactions that commit at the same time advance different rows; the version is their sum.
  shard smallint not null,
  version bigint not null,
  primary key (organization_id, subject, shard)
);
call isolate_tenant('data_versions');
create policy system on data_versions for select to {{system}} using (true);
grant select on data_versions to {{system}};

-- Notes in the transaction which versions it has to advance. The database does it, so that no statement can be forgotten. Statements that
-- find nothing to change are left out: some run every few seconds.
create function note_change() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
declare
  subjects text := coalesce(current_setting('parapet.changed', true), '');
begin
  if strpos(subjects, tg_argv[0]) = 0 and exists (select from changed) then
    perform set_config('parapet.changed', subjects || ' ' || tg_argv[0], true);
  end if;
  return null;
end $$;
do $$
declare
  noted record;
  event record;
begin
  for noted in select * from (values ('systems', 'systems'), ('sources', 'sources'), ('findings', 'findings'), ('scans', 'scans'),
    ('scan_runs', 'scans')) as v (relation, subject)
  loop
    for event in select * from (values ('insert', 'new'), ('update', 'new'), ('delete', 'old')) as v (name, rows) loop
      execute format('create trigger note_%1$s after %1$s on %3$I referencing %2$s table as changed
        for each statement execute function note_change(%4$L)', event.name, event.rows, noted.relation, noted.subject);
    end loop;
  end loop;
end $$;

-- The last statement of every writing transaction: a request that reads the new version also reads what the transaction wrote. Versions
-- are microseconds, so that a restored database does not use one again for other data.
create or replace function advance_data_version() returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
  moment bigint := extract(epoch from clock_timestamp()) * 1000000;
  changed text;
begin
  -- In one order, so that transactions do not wait for each other in a circle.
  for changed in
    select unnest(string_to_array(ltrim(current_setting('parapet.changed', true)), ' ')) order by 1
  loop
    update data_versions v set version = greatest(v.version + 1, moment)
    where v.organization_id = organization and v.subject = changed and v.shard = (
      select f.shard from data_versions f where f.organization_id = organization and f.subject = changed
      order by f.shard limit 1 for no key update skip locked);
    if not found then
      insert into data_versions as v values (organization, changed, pg_backend_pid() % 16, moment)
      on conflict (organization_id, subject, shard) do update set version = greatest(v.version + 1, moment);
    end if;
  end loop;
end $$;
