-- The most severe findings of each check and status, so that a page of some checks is merged from the first of each, and findings in the
-- order in which they were last detected.
create index findings_of_check_worst on findings (organization_id, category, status, severity_rank desc, created_at desc, id desc);
create index findings_last_seen on findings (organization_id, last_seen_at desc, id desc)
  include (severity_rank, status, category, hipaa, system_id, source_id);

-- Titles that findings of a check have had. A search reads these instead of the titles of all findings. A title that two transactions store
-- at the same time is there twice: neither waits for the other.
create table check_titles (
  organization_id uuid not null references organizations (id),
  check_id text not null collate "C",
  id bigint not null generated always as identity,
  title text not null,
  primary key (organization_id, check_id, id)
);
call isolate_tenant('check_titles');
grant select, insert on check_titles to {{app}};

-- The locators of a source's findings in lower case, as far as they are searched, separated by line feeds. A search finds
-- the few sources of a rare text in these, in a twentieth of the rows and a quarter of the bytes that all findings have.
create table source_locators (
  organization_id uuid not null,
  source_id uuid not null,
  id bigint not null generated always as identity,
  locators text not null,
  primary key (organization_id, source_id, id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
) with (toast_tuple_target = 8160);
-- In the row itself, not compressed: a search reads all of them.
alter table source_locators alter column locators set storage external;
call isolate_tenant('source_locators');
grant select, insert on source_locators to {{app}};

-- Read as a whole: the setting is read once for each statement.
alter policy tenant on source_locators
  using (organization_id = (select nullif(current_setting('parapet.organization_id', true), '')::uuid));
alter policy tenant on check_titles
  using (organization_id = (select nullif(current_setting('parapet.organization_id', true), '')::uuid));

create function keep_search_texts() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_titles (organization_id, check_id, title)
    select distinct organization_id, category, title from added
    except select organization_id, check_id, title from check_titles;
  insert into source_locators (organization_id, source_id, locators)
    select organization_id, source_id, string_agg(locator, E'\n') from (
      select *, sum(octet_length(locator) + 1) over (partition by organization_id, source_id order by locator collate "C") / 6000 as block
      -- Not compared with those before: that would read all locators of a source for each new one, and a finding is added once.
      from (select distinct organization_id, source_id, lower(left(locator, 300)) as locator from added) as found) as blocks
    group by organization_id, source_id, block;
  return null;
end $$;
create trigger keep_search_texts_added after insert on findings referencing new table as added
  for each statement execute function keep_search_texts();

-- A check that is renamed, or gets another title. The locator of a finding never changes.
create function keep_changed_title() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_titles (organization_id, check_id, title)
    select new.organization_id, new.category, new.title where not exists (select from check_titles t
      where t.organization_id = new.organization_id and t.check_id = new.category and t.title = new.title);
  return null;
end $$;
create trigger keep_title_changed after update on findings for each row
  when (old.title <> new.title or old.category <> new.category) execute function keep_changed_title();

-- The lock that writers take first. Until this commits, they wait.
lock table findings in share row exclusive mode;
alter table findings no force row level security;
alter table check_titles no force row level security;
alter table source_locators no force row level security;
insert into check_titles (organization_id, check_id, title) select distinct organization_id, category, title from findings;
insert into source_locators (organization_id, source_id, locators)
  select organization_id, source_id, string_agg(locator, E'\n') from (
    select *, sum(octet_length(locator) + 1) over (partition by organization_id, source_id order by locator collate "C") / 6000 as block
    from (select distinct organization_id, source_id, lower(left(locator, 300)) as locator from findings) as found) as blocks
  group by organization_id, source_id, block;
alter table findings force row level security;
alter table check_titles force row level security;
alter table source_locators force row level security;
