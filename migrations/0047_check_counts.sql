-- How many findings of each check have a status, and on how many sources each check had an outcome on a day (UTC): the pages that count
-- them all read a few thousand rows instead of millions. `state` is the status or the outcome; findings have no day.
create table check_counts (
  organization_id uuid not null references organizations (id),
  check_id text not null collate "C",
  state text not null,
  severity_rank smallint not null,
  hipaa boolean not null,
  day date not null,
  count int not null,
  primary key (organization_id, day, check_id, state, severity_rank, hipaa)
);
call isolate_tenant('check_counts');
grant select, insert, update, delete on check_counts to {{app}};

-- What has changed since. Transactions that change findings of different sources thus wait for no row of a count, until they record the
-- posture, one after the other, and add these to the counts. Both together are exact at any time.
create table check_count_deltas (
  organization_id uuid not null references organizations (id),
  id bigint not null generated always as identity,
  check_id text not null collate "C",
  state text not null,
  severity_rank smallint not null,
  hipaa boolean not null,
  day date not null,
  count int not null,
  primary key (organization_id, id)
);
call isolate_tenant('check_count_deltas');
grant select, insert, delete on check_count_deltas to {{app}};

create function count_findings() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_count_deltas (organization_id, check_id, state, severity_rank, hipaa, day, count)
    select organization_id, category, status, severity_rank, hipaa, '-infinity', count(*) from added group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger count_added after insert on findings referencing new table as added
  for each statement execute function count_findings();

create function count_changed_findings() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_count_deltas (organization_id, check_id, state, severity_rank, hipaa, day, count)
    select organization_id, category, status, severity_rank, hipaa, '-infinity', sum(n) from (
      select organization_id, category, status, severity_rank, hipaa, 1 as n from added
      union all select organization_id, category, status, severity_rank, hipaa, -1 from removed) as changes
    group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;
create trigger count_changed after update on findings referencing old table as removed new table as added
  for each statement execute function count_changed_findings();

-- When a source was last assessed: when a check passed or found something, among the newest results of its checks. Null: never.
create table source_assessments (
  organization_id uuid not null,
  source_id uuid not null,
  seen_at timestamptz(3),
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('source_assessments');
grant select, insert, update on source_assessments to {{app}};

create function count_assessments() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
begin
  insert into check_count_deltas (organization_id, check_id, state, severity_rank, hipaa, day, count)
    select organization_id, check_id, outcome, 0, false, looked_at::date, count(*) from added group by 1, 2, 3, 6;
  return null;
end $$;
create trigger count_added after insert on check_assessments referencing new table as added
  for each statement execute function count_assessments();

create function count_changed_assessments() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
begin
  insert into check_count_deltas (organization_id, check_id, state, severity_rank, hipaa, day, count)
    select organization_id, check_id, outcome, 0, false, day, sum(n) from (
      select organization_id, check_id, outcome, looked_at::date as day, 1 as n from added
      union all select organization_id, check_id, outcome, looked_at::date, -1 from removed) as changes
    group by 1, 2, 3, 6 having sum(n) <> 0;
  return null;
end $$;
create trigger count_changed after update on check_assessments referencing old table as removed new table as added
  for each statement execute function count_changed_assessments();

create function keep_source_assessments() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into source_assessments as known (organization_id, source_id, seen_at)
    select s.organization_id, s.source_id, (select max(a.looked_at) from check_assessments a
      where a.organization_id = s.organization_id and a.source_id = s.source_id and a.outcome in ('passed', 'observed'))
    from (select distinct organization_id, source_id from added) as s
    on conflict (organization_id, source_id) do update set seen_at = excluded.seen_at
      where known.seen_at is distinct from excluded.seen_at;
  return null;
end $$;
create trigger keep_sources_added after insert on check_assessments referencing new table as added
  for each statement execute function keep_source_assessments();
create trigger keep_sources_changed after update on check_assessments referencing new table as added
  for each statement execute function keep_source_assessments();

-- The last scan of each source and system that contacted it, which pages read for all sources at once.
create table last_scans (
  organization_id uuid not null references organizations (id),
  -- A source or a system.
  target_id uuid not null,
  of_system boolean not null,
  scan_id uuid not null,
  created_at timestamptz(3) not null,
  status text not null,
  finished_at timestamptz(3),
  primary key (organization_id, target_id)
) with (fillfactor = 80);
call isolate_tenant('last_scans');
grant select, insert, update on last_scans to {{app}};

create function keep_last_scan() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.is_own and new.source_id is not null then return null; end if;
  insert into last_scans as l (organization_id, target_id, of_system, scan_id, created_at, status, finished_at)
    values (new.organization_id, coalesce(new.source_id, new.system_id), new.source_id is null, new.id, new.created_at, new.status, new.finished_at)
    on conflict (organization_id, target_id) do update set scan_id = excluded.scan_id, created_at = excluded.created_at,
      status = excluded.status, finished_at = excluded.finished_at
    where (l.created_at, l.scan_id) <= (excluded.created_at, excluded.scan_id);
  return null;
end $$;
create trigger keep_last_added after insert on scans for each row execute function keep_last_scan();
create trigger keep_last_changed after update on scans for each row
  when (old.status <> new.status or old.finished_at is distinct from new.finished_at)
  execute function keep_last_scan();

-- The locks that writers take first. Until this commits, they wait.
lock table scans, findings, check_assessments in share row exclusive mode;
alter table scans no force row level security;
alter table findings no force row level security;
alter table check_assessments no force row level security;
alter table check_counts no force row level security;
alter table last_scans no force row level security;
alter table source_assessments no force row level security;
insert into check_counts (organization_id, check_id, state, severity_rank, hipaa, day, count)
  select organization_id, category, status, severity_rank, hipaa, '-infinity', count(*) from findings group by 1, 2, 3, 4, 5;
insert into check_counts (organization_id, check_id, state, severity_rank, hipaa, day, count)
  select organization_id, check_id, outcome, 0, false, (looked_at at time zone 'UTC')::date, count(*)
  from check_assessments group by 1, 2, 3, 6;
insert into source_assessments (organization_id, source_id, seen_at)
  select organization_id, source_id, max(looked_at) filter (where outcome in ('passed', 'observed')) from check_assessments group by 1, 2;
insert into last_scans (organization_id, target_id, of_system, scan_id, created_at, status, finished_at)
  select distinct on (organization_id, coalesce(source_id, system_id)) organization_id, coalesce(source_id, system_id), source_id is null, id, created_at,
    status, finished_at
  from scans where source_id is null or not is_own
  order by organization_id, coalesce(source_id, system_id), created_at desc, id desc;
alter table scans force row level security;
alter table findings force row level security;
alter table check_assessments force row level security;
alter table check_counts force row level security;
alter table last_scans force row level security;
alter table source_assessments force row level security;
