-- The newest outcome of each check on a source, in one row: a scan replaces a hundred of them, and as rows, with their indexes, foreign
-- keys and triggers, they took a third of the database's time for it. The arrays are parallel and sorted by check.
create table source_checks (
  organization_id uuid not null,
  source_id uuid not null,
  check_ids text[] not null collate "C",
  outcomes text[] not null,
  -- Null for checks that passed or found something.
  reasons text[] not null,
  scan_ids uuid[] not null,
  looked_at timestamptz(3)[] not null,
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
) with (fillfactor = 50);
call isolate_tenant('source_checks');
grant select, insert, update on source_checks to {{app}};

create function are_outcomes(outcomes text[], reasons text[]) returns boolean language sql immutable
set search_path = pg_catalog, pg_temp
return not exists (select from unnest(outcomes, reasons) as o (outcome, reason)
  where (o.outcome in ('passed', 'observed') and o.reason is null
    or o.outcome in ('not_assessed', 'not_applicable') and o.reason is not null) is not true);
grant execute on function are_outcomes to {{app}};
alter table source_checks add check (are_outcomes(outcomes, reasons)
  and cardinality(outcomes) = cardinality(check_ids) and cardinality(scan_ids) = cardinality(check_ids)
  and cardinality(looked_at) = cardinality(check_ids));

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
-- posture, one after the other, and add these to the counts. Both together are exact at any time. Those of a statement are one row.
create table check_count_deltas (
  organization_id uuid not null references organizations (id),
  id bigint not null generated always as identity,
  check_ids text[] not null collate "C",
  states text[] not null,
  severity_ranks smallint[] not null,
  hipaa boolean[] not null,
  days date[] not null,
  counts int[] not null,
  primary key (organization_id, id)
);
call isolate_tenant('check_count_deltas');
grant select, insert, delete on check_count_deltas to {{app}};

create view check_count_changes with (security_invoker = true) as
  select organization_id, d.check_id, d.state, d.severity_rank, d.hipaa, d.day, d.count from check_count_deltas
  cross join lateral unnest(check_ids, states, severity_ranks, hipaa, days, counts) as d (check_id, state, severity_rank, hipaa, day, count);
grant select on check_count_changes to {{app}};

-- Adds the changes to the counts once there are 32 rows of them: that writes a row for each check, and reading so many takes less than a
-- millisecond. Of an organization's transactions, one at a time may call this: two could wait for each other.
create function fold_check_counts() returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from check_count_deltas offset 31) then return; end if;
  with taken as (delete from check_count_deltas returning check_ids, states, severity_ranks, hipaa, days, counts)
  insert into check_counts as c (day, check_id, state, severity_rank, hipaa, count)
    select d.day, d.check_id, d.state, d.severity_rank, d.hipaa, sum(d.count)::int
    from taken cross join lateral unnest(check_ids, states, severity_ranks, hipaa, days, counts)
      as d (check_id, state, severity_rank, hipaa, day, count)
    group by 1, 2, 3, 4, 5 having sum(d.count) <> 0
    order by 1, 2, 3, 4, 5
  on conflict (organization_id, day, check_id, state, severity_rank, hipaa) do update set count = c.count + excluded.count;
  delete from check_counts where count = 0;
end $$;
grant execute on function fold_check_counts to {{app}};

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
alter table source_checks no force row level security;
alter table check_counts no force row level security;
alter table last_scans no force row level security;
alter table source_assessments no force row level security;
insert into source_checks (organization_id, source_id, check_ids, outcomes, reasons, scan_ids, looked_at)
  select organization_id, source_id, array_agg(check_id order by check_id), array_agg(outcome order by check_id),
    array_agg(reason order by check_id), array_agg(scan_id order by check_id), array_agg(looked_at order by check_id)
  from check_assessments group by organization_id, source_id;
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
alter table source_checks force row level security;
alter table check_counts force row level security;
alter table last_scans force row level security;
alter table source_assessments force row level security;

drop table check_assessments;
create view check_assessments with (security_invoker = true) as
  select organization_id, source_id, a.check_id, a.outcome, a.reason, a.scan_id, a.looked_at from source_checks
  cross join lateral unnest(check_ids, outcomes, reasons, scan_ids, looked_at) as a (check_id, outcome, reason, scan_id, looked_at);
grant select on check_assessments to {{app}};

create function count_findings() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_count_deltas (organization_id, check_ids, states, severity_ranks, hipaa, days, counts)
    select organization_id, array_agg(category), array_agg(status), array_agg(severity_rank), array_agg(hipaa),
      array_agg('-infinity'::date), array_agg(n)
    from (select organization_id, category, status, severity_rank, hipaa, count(*)::int as n from added group by 1, 2, 3, 4, 5) as changes
    group by organization_id;
  return null;
end $$;

create trigger count_added after insert on findings referencing new table as added
  for each statement execute function count_findings();

create function count_changed_findings() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into check_count_deltas (organization_id, check_ids, states, severity_ranks, hipaa, days, counts)
    select organization_id, array_agg(category), array_agg(status), array_agg(severity_rank), array_agg(hipaa),
      array_agg('-infinity'::date), array_agg(n)
    from (select organization_id, category, status, severity_rank, hipaa, sum(n)::int as n from (
        select organization_id, category, status, severity_rank, hipaa, 1 as n from added
        union all select organization_id, category, status, severity_rank, hipaa, -1 from removed) as both_sides
      group by 1, 2, 3, 4, 5 having sum(n) <> 0) as changes
    group by organization_id;
  return null;
end $$;

create trigger count_changed after update on findings referencing old table as removed new table as added
  for each statement execute function count_changed_findings();

create function count_outcomes() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
begin
  insert into check_count_deltas (organization_id, check_ids, states, severity_ranks, hipaa, days, counts)
    select new.organization_id, array_agg(check_id), array_agg(outcome), array_fill(0::smallint, array[count(*)::int]),
      array_fill(false, array[count(*)::int]), array_agg(day), array_agg(n)
    from (select check_id, outcome, day, sum(n)::int as n from (
        select check_id, outcome, at::date as day, 1 as n
          from unnest(new.check_ids, new.outcomes, new.looked_at) as a (check_id, outcome, at)
        -- No rows if the source had none.
        union all select check_id, outcome, at::date, -1
          from unnest(old.check_ids, old.outcomes, old.looked_at) as a (check_id, outcome, at)) as both_sides
      group by 1, 2, 3 having sum(n) <> 0) as changes
    having count(*) > 0;
  insert into source_assessments as known (organization_id, source_id, seen_at)
    select new.organization_id, new.source_id, max(at) filter (where outcome in ('passed', 'observed'))
    from unnest(new.outcomes, new.looked_at) as a (outcome, at)
    on conflict (organization_id, source_id) do update set seen_at = excluded.seen_at
      where known.seen_at is distinct from excluded.seen_at;
  return null;
end $$;
create trigger count_outcomes after insert or update on source_checks for each row execute function count_outcomes();

-- Replaces the outcomes of these checks of a source, and leaves its others.
create function record_outcomes(source uuid, scan uuid, at timestamptz, checks text[], outcomes text[], reasons text[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into source_checks as known (source_id, check_ids, outcomes, reasons, scan_ids, looked_at)
    select source, array_agg(a.check_id order by a.check_id collate "C"), array_agg(a.outcome order by a.check_id collate "C"),
      array_agg(a.reason order by a.check_id collate "C"), array_fill(scan, array[count(*)::int]), array_fill(at, array[count(*)::int])
    from unnest(checks, outcomes, reasons) as a (check_id, outcome, reason) having count(*) > 0
  on conflict (organization_id, source_id) do update set (check_ids, outcomes, reasons, scan_ids, looked_at) = (
    select array_agg(a.check_id order by a.check_id), array_agg(a.outcome order by a.check_id), array_agg(a.reason order by a.check_id),
      array_agg(a.scan_id order by a.check_id), array_agg(a.looked_at order by a.check_id)
    from (
      select * from unnest(excluded.check_ids, excluded.outcomes, excluded.reasons, excluded.scan_ids, excluded.looked_at)
      union all
      select k.* from unnest(known.check_ids, known.outcomes, known.reasons, known.scan_ids, known.looked_at)
        as k (check_id, outcome, reason, scan_id, looked_at)
        where k.check_id not in (select unnest(excluded.check_ids))
    ) as a (check_id, outcome, reason, scan_id, looked_at));
end $$;
grant execute on function record_outcomes to {{app}};
