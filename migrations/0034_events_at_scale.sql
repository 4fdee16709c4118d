-- How long events are kept is a policy of each organization. It counts in whole days (UTC), since when they were received.
alter table organizations add column event_retention_days smallint not null default 90
  check (event_retention_days in (7, 30, 90, 180, 365));
grant update (event_retention_days) on organizations to {{app}};

alter table events rename to events_before;
-- For the owner, who moves their rows.
alter table events_before no force row level security;
alter table event_inbox no force row level security;

-- Events are removed by dropping partitions: by retention, then by the time when they were received. Systems are never deleted, so
-- nothing here refers to them: a foreign key would cost as much as half the insert.
create table events (
  organization_id uuid not null,
  system_id uuid not null,
  channel text not null,
  id uuid not null,
  retention_days smallint not null,
  received_at timestamptz(3) not null,
  occurred_at timestamptz not null,
  key_id uuid not null,
  kind text not null,
  -- Nothing searches it.
  payload json not null
) partition by list (retention_days);

-- How many events there are of one system, channel and kind: a series. Clients choose kinds, so an organization has a limited number
-- of series. Beyond it, those of a system and channel share one with an empty kind.
create table event_series (
  organization_id uuid not null,
  id bigint not null generated always as identity,
  system_id uuid not null,
  channel text not null,
  kind text not null,
  primary key (organization_id, id),
  unique (organization_id, system_id, channel, kind)
);
-- By hours and by days (UTC) in which they occurred. Partitioned like the events that they count, and dropped with them.
create table event_counts (
  organization_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  series bigint not null,
  at timestamptz not null,
  retention_days smallint not null,
  received_day timestamptz not null,
  count int not null,
  primary key (organization_id, grain, series, at, retention_days, received_day)
) partition by list (retention_days);
-- All series of a period; the primary key serves those of a filter.
create index event_counts_at on event_counts (organization_id, grain, at);
-- What was stored since the counts were last updated, so that storing an event never waits for the row of a count.
create table event_count_deltas (
  organization_id uuid not null,
  system_id uuid not null,
  channel text not null,
  kind text not null,
  hour timestamptz not null,
  retention_days smallint not null,
  received_day timestamptz not null,
  count int not null
);
create index event_count_deltas_organization on event_count_deltas (organization_id);

do $$
declare
  retention smallint;
begin
  foreach retention in array array[7, 30, 90, 180, 365] loop
    execute format('create table events_%1$s partition of events for values in (%1$s) partition by range (received_at)', retention);
    execute format(
      'create table event_counts_%1$s partition of event_counts for values in (%1$s) partition by range (received_day)', retention);
    execute format('call isolate_tenant(''events_%s'')', retention);
    execute format('call isolate_tenant(''event_counts_%s'')', retention);
  end loop;
end $$;

-- Days that a partition covers: shorter ones for a shorter retention, whose rows would be kept too long.
create function event_partition_days(retention int) returns int language sql immutable
set search_path = pg_catalog, public, pg_temp
as $$
  select case retention when 7 then 1 else retention / 6 end
$$;
revoke execute on function event_partition_days from public;

-- Creates the partitions of a retention that hold this moment and the `ahead` periods after it, unless they exist. They are created first
-- and attached then, which waits for no reader or writer of the others. A retention has about ten.
create function create_event_partitions(retention smallint, moment timestamptz, ahead int) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
declare
  days int := event_partition_days(retention);
  first_day date;
  suffix text;
  parent text;
begin
  for n in 0..ahead loop
    first_day := to_timestamp((floor(extract(epoch from moment) / 86400 / days) + n) * days * 86400)::date;
    suffix := format('_%s_%s', retention, to_char(first_day, 'YYYYMMDD'));
    continue when to_regclass('event_counts' || suffix) is not null;
    perform pg_advisory_xact_lock(1162170446, retention);
    -- Not by to_regclass, which may still know what it found before it waited.
    continue when exists (
      select from pg_class where relnamespace = 'public'::regnamespace and relname = 'event_counts' || suffix);
    foreach parent in array array['events', 'event_counts'] loop
      execute format('create table public.%I (like %I including defaults including constraints)', parent || suffix, parent);
      execute format('call isolate_tenant(%L)', parent || suffix);
    end loop;
    execute format('create unique index on %I (organization_id, system_id, channel, id)', 'events' || suffix);
    -- All that events are listed and filtered by, in the order in which they are listed.
    execute format('create index on %I (organization_id, occurred_at desc, id desc, channel desc, system_id desc)
      include (kind, retention_days, received_at)', 'events' || suffix);
    -- Room for updates without new index entries.
    execute format('alter table %I set (fillfactor = 60)', 'event_counts' || suffix);
    foreach parent in array array['events', 'event_counts'] loop
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        format('%s_%s', parent, retention), parent || suffix, first_day, first_day + days);
    end loop;
  end loop;
end $$;
revoke execute on function create_event_partitions from public;
grant execute on function create_event_partitions to {{system}};

-- Drops the partitions whose events are all past their retention, and returns how many. One that is being read is dropped the next time:
-- whoever reads or stores events waits for this at most as long as it waits.
create function drop_event_partitions() returns int language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
set lock_timeout = '200ms'
as $$
declare
  partition record;
  dropped int := 0;
begin
  for partition in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    cross join lateral (select split_part(p.relname, '_', -1)::int as retention) as of
    where p.relname ~ '^(events|event_counts)_\d+$' and p.relnamespace = 'public'::regnamespace
      and to_date(right(c.relname, 8), 'YYYYMMDD') + event_partition_days(retention)
        <= current_date - retention
    order by c.relname
  loop
    begin
      execute format('drop table %I', partition.name);
      dropped := dropped + 1;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_event_partitions from public;
grant execute on function drop_event_partitions to {{system}};

-- From when on events of each retention are visible: by the number of days, with today's policy of the organization if it is shorter.
create function event_horizons() returns timestamptz[] language sql stable
set search_path = pg_catalog, public, pg_temp
as $$
  select array_agg(date_trunc('day', now(), 'UTC') - least(n, o.event_retention_days) * interval '24 hours' order by n)
  from organizations o, generate_series(1, 365) as n
  where o.id = nullif(current_setting('parapet.organization_id', true), '')::uuid
$$;
revoke execute on function event_horizons from public;
grant execute on function event_horizons to {{app}};

-- The rows from before, as far as they are still kept, and their counts.
alter table event_inbox add column retention_days smallint, add column received_at timestamptz(3);
update event_inbox i set retention_days = 90, received_at = e.received_at from events_before e
  where (e.organization_id, e.system_id, e.channel, e.id) = (i.organization_id, i.system_id, i.channel, i.event_id);
delete from event_inbox where received_at < date_trunc('day', now(), 'UTC') - interval '90 days';
alter table event_inbox alter column retention_days set not null, alter column received_at set not null;
delete from events_before where received_at < date_trunc('day', now(), 'UTC') - interval '90 days';
select create_event_partitions(90::smallint, day, 0)
from (select distinct date_trunc('day', received_at, 'UTC') as day from events_before union select now()) as received;
insert into events
  (organization_id, system_id, channel, id, retention_days, received_at, occurred_at, key_id, kind, payload)
  select organization_id, system_id, channel, id, 90, received_at, occurred_at, key_id, kind, payload::text::json from events_before
  order by received_at;
insert into event_count_deltas (organization_id, system_id, channel, kind, hour, retention_days, received_day, count)
  select organization_id, system_id, channel, kind, date_trunc('hour', occurred_at, 'UTC'), 90,
    date_trunc('day', received_at, 'UTC'), count(*)::int from events_before group by 1, 2, 3, 4, 5, 7;
drop table events_before;
alter table event_inbox force row level security;

call isolate_tenant('events');
call isolate_tenant('event_series');
call isolate_tenant('event_counts');
call isolate_tenant('event_count_deltas');
-- Hidden at once, whichever statement reads them, while their partition is still there.
create policy retained on events as restrictive for select to {{app}}
  using (received_at >= (select event_horizons())[retention_days]);
create policy retained on event_counts as restrictive for select to {{app}}
  using (received_day >= (select event_horizons())[retention_days]);
create policy retained on event_count_deltas as restrictive for select to {{app}}
  using (received_day >= (select event_horizons())[retention_days]);
grant select on events, event_series, event_counts, event_count_deltas to {{app}};
-- Events are stored for all organizations at once, by the functions below alone.
revoke insert on event_inbox from {{app}};
revoke insert (channel, system_id, event_id) on event_inbox from {{app}};
create policy system on systems for select to {{system}} using (true);
create policy system on events to {{system}} using (true);
create policy system on event_series to {{system}} using (true);
create policy system on event_counts to {{system}} using (true);
create policy system on event_count_deltas to {{system}} using (true);
create policy system_stores on event_inbox for insert to {{system}} with check (true);
grant select (organization_id, id) on systems to {{system}};
grant insert, select (organization_id, system_id, channel, id, retention_days, received_at) on events to {{system}};
grant insert (organization_id, channel, system_id, event_id, retention_days, received_at) on event_inbox to {{system}};
grant select, insert, delete on event_count_deltas to {{system}};
grant select, insert (organization_id, system_id, channel, kind), delete on event_series to {{system}};
grant select, insert, update (count) on event_counts to {{system}};

-- Stores the events of many requests, of any organizations. `requests` are their streams: organization, system and channel, with the
-- key. The other arguments have one line per event, in the order of the requests: the number of its request, its id, kind, time,
-- payload and whether it changes posture. A stream has no id twice.
--
-- Returns for each request how many of its events were not stored before within their retention, or -1 if the organization has no such
-- system. Exact on any number of nodes: whoever stores into the same stream waits, and the moment is read after that.
create function store_events(
  organization_ids uuid[], system_ids uuid[], channels text[], key_ids uuid[],
  requests text, ids text, kinds text, times text, payloads text, postures text
) returns int[] language plpgsql volatile
set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
set lock_timeout = '5s'
-- What a batch holds stays in memory.
set work_mem = '32MB'
set plan_cache_mode = force_generic_plan
-- A plan must not depend on how full the partitions were when it was made: events are looked up by index.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  moment timestamptz(3);
  today timestamptz;
  retention smallint;
  answers int[];
  stored int[];
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'storing events requires isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(1162170447, lock) from (
    select distinct hashtext(o::text || s::text) as lock from unnest(organization_ids, system_ids) as r (o, s) order by 1) as locks;
  moment := date_trunc('milliseconds', clock_timestamp());
  today := date_trunc('day', moment, 'UTC');
  for retention in
    -- In one order: each may create a partition, which others wait for.
    select distinct o.event_retention_days from organizations o where o.id = any(organization_ids) order by 1
  loop
    perform create_event_partitions(retention, moment, 0);
    with request as materialized (
      select r.* from unnest(organization_ids, system_ids, channels, key_ids)
        with ordinality as r (organization_id, system_id, channel, key_id, request)
      join organizations o on o.id = r.organization_id and o.event_retention_days = retention
      join systems y on y.organization_id = r.organization_id and y.id = r.system_id
    ), event as materialized (
      select * from rows from (string_to_table(requests, E'\n'), string_to_table(ids, E'\n'), string_to_table(kinds, E'\n'),
        string_to_table(times, E'\n'), string_to_table(payloads, E'\n'), string_to_table(postures, E'\n'))
        with ordinality as e (request, id, kind, occurred_at, payload, is_posture, place)
    ), known as materialized (
      select sent.request, known.id from (
        select request, array_agg(id::uuid) as ids from event group by 1) as sent
      join request on request.request = sent.request::int
      cross join lateral (
        select e.id from events e where e.retention_days = retention and e.received_at >= today - retention * interval '24 hours'
          and e.organization_id = request.organization_id and e.system_id = request.system_id
          and e.channel = request.channel and e.id = any(sent.ids)
        -- Not to be joined in another way.
        offset 0) as known
    ), fresh as materialized (
      select r.organization_id, r.system_id, r.channel, r.key_id, r.request, e.id::uuid as id, e.kind,
        e.occurred_at::timestamptz as occurred_at, e.payload::json as payload, e.is_posture, e.place
      from event e join request r on r.request = e.request::int
      where (e.request, e.id::uuid) not in (select k.request, k.id from known k)
    ), written as (
      insert into events
        (organization_id, system_id, channel, id, retention_days, received_at, occurred_at, key_id, kind, payload)
      select organization_id, system_id, channel, id, retention, moment, occurred_at, key_id, kind, payload from fresh
    ), counted as (
      insert into event_count_deltas (organization_id, system_id, channel, kind, hour, retention_days, received_day, count)
      select organization_id, system_id, channel, kind, date_trunc('hour', occurred_at, 'UTC'), retention, today, count(*)::int
      from fresh group by 1, 2, 3, 4, 5
    ), queued as (
      insert into event_inbox (organization_id, channel, system_id, event_id, retention_days, received_at)
      select organization_id, channel, system_id, id, retention, moment from fresh where is_posture = 't' order by place
    )
    select array_agg(coalesce(f.stored, case when r.request is null then -1 else 0 end) order by g.request)
    into stored
    from generate_series(1, cardinality(system_ids)) as g (request)
    left join request r on r.request = g.request
    left join (select request, count(*)::int as stored from fresh group by 1) as f on f.request = g.request;
    answers := case when answers is null then stored else
      array(select greatest(a, s) from unnest(answers, stored) with ordinality as u (a, s, place) order by place) end;
  end loop;
  return coalesce(answers, array_fill(-1, array[cardinality(system_ids)]));
end $$;
revoke execute on function store_events from public;
grant execute on function store_events to {{system}};

-- Adds up to `most` deltas to the counts. Returns how many; 0 too while another node does it.
create function fold_event_counts(most int, most_series int) returns int language plpgsql volatile
set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
-- Rows are looked up by their place or an index, whatever the planner expects: a scan would compare each with all that are taken.
set enable_seqscan = off
as $$
declare
  taken tid[];
begin
  if not pg_try_advisory_xact_lock(1162170448) then return 0; end if;
  taken := array(select ctid from event_count_deltas limit most);
  with missing as (
    select distinct organization_id, system_id, channel, kind from event_count_deltas d where ctid = any(taken)
      and not exists (select from event_series s where (s.organization_id, s.system_id, s.channel, s.kind)
        = (d.organization_id, d.system_id, d.channel, d.kind))
  ), room as (
    select organization_id, most_series - (select count(*) from event_series s where s.organization_id = m.organization_id) as room
    from (select distinct organization_id from missing) as m
  ), placed as (
    select m.*, row_number() over (partition by organization_id order by system_id, channel, kind) <= room.room as fits
    from missing m join room using (organization_id)
  )
  insert into event_series (organization_id, system_id, channel, kind)
  select distinct organization_id, system_id, channel, case when fits then kind else '' end from placed
  on conflict do nothing;
  with gone as (
    delete from event_count_deltas where ctid = any(taken) returning *
  )
  insert into event_counts as kept (organization_id, grain, series, at, retention_days, received_day, count)
  select d.organization_id, grain, coalesce(s.id, others.id), date_trunc(grain, d.hour, 'UTC') as at, d.retention_days, d.received_day,
    sum(d.count)::int
  from gone d cross join unnest(array['hour', 'day']) as grain
  left join event_series s on (s.organization_id, s.system_id, s.channel, s.kind)
    = (d.organization_id, d.system_id, d.channel, d.kind)
  left join event_series others on (others.organization_id, others.system_id, others.channel, others.kind)
    = (d.organization_id, d.system_id, d.channel, '')
  -- Of those past their retention, the partition may be gone.
  where d.received_day >= date_trunc('day', now(), 'UTC') - d.retention_days * interval '24 hours'
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (organization_id, grain, series, at, retention_days, received_day)
    do update set count = kept.count + excluded.count;
  return cardinality(taken);
end $$;
revoke execute on function fold_event_counts from public;
grant execute on function fold_event_counts to {{system}};
