-- A version for each kind of thing that lists return, instead of one for all: polls of findings are answered from memory while scans
-- make progress.
drop table data_versions;
create table data_versions (
  organization_id uuid not null references organizations (id),
  subject text not null check (subject in ('systems', 'sources', 'findings', 'scans')),
  version bigint not null,
  primary key (organization_id, subject)
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
create or replace function advance_data_version() returns void language sql security definer
set search_path = pg_catalog, public, pg_temp
as $$
  insert into data_versions (subject, version)
  -- In one order, so that transactions do not wait for each other in a circle.
  select subject, extract(epoch from clock_timestamp()) * 1000000
  from unnest(string_to_array(ltrim(current_setting('parapet.changed', true)), ' ')) as subject order by subject
  on conflict (organization_id, subject) do update set version = greatest(data_versions.version + 1, excluded.version)
$$;
