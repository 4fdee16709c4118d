-- Nodes of the version before may be running. Their updates of the counts end first, since this one adds what they left; and the tables
-- are locked in the order in which statements use them, since a deadlock would undo the upgrade.
select pg_advisory_xact_lock(1162170448);
lock table events, event_count_deltas, event_inbox, event_counts, event_series in access exclusive mode;

-- Events are listed by any filter in the time that a page takes, however many others there are: those of a series and key are found by a
-- number, which is shorter and faster to compare than these. It is a hash: queries also compare what it is made of.
-- Its body is bound to what it names when it is created: it needs no search path, so that statements compute it without a call.
create function event_series_hash(system_id uuid, channel text, kind text, key_id uuid) returns bigint language sql immutable parallel safe
return uuid_hash_extended(system_id, uuid_hash_extended(key_id, hashtextextended(kind, hashtextextended(channel, 0))));
revoke execute on function event_series_hash from public;
grant execute on function event_series_hash to {{app}}, {{system}};
alter table events add column series_hash bigint not null
  generated always as (event_series_hash(system_id, channel, kind, key_id)) stored;

-- The keys of each series: which of these there are.
create table event_series_keys (
  organization_id uuid not null,
  series bigint not null,
  key_id uuid not null,
  primary key (organization_id, series, key_id),
  foreign key (organization_id, series) references event_series (organization_id, id) on delete cascade
);
call isolate_tenant('event_series_keys');
create policy system on event_series_keys to {{system}} using (true);
grant select on event_series_keys to {{app}};
grant select, insert on event_series_keys to {{system}};

-- The keys that a probe has used, of which its current one is the last: its events are those of all.
create table probe_keys (
  organization_id uuid not null,
  probe_id uuid not null,
  key_id uuid not null,
  primary key (organization_id, probe_id, key_id),
  foreign key (organization_id, probe_id) references probes (organization_id, id)
);
alter table probes no force row level security;
insert into probe_keys (organization_id, probe_id, key_id) select organization_id, id, key_id from probes;
alter table probes force row level security;
call isolate_tenant('probe_keys');
grant select, insert on probe_keys to {{app}};

-- For the owner, who updates the counts and finds the keys of what was stored before.
alter table events no force row level security;
alter table event_series no force row level security;
alter table event_series_keys no force row level security;
alter table event_counts no force row level security;
alter table event_count_deltas no force row level security;
do $$
begin
  while fold_event_counts(20000, 2000) > 0 loop
  end loop;
end $$;
insert into event_series_keys (organization_id, series, key_id)
  select s.organization_id, s.id, e.key_id
  from (select distinct organization_id, system_id, channel, kind, key_id from events) as e
  join event_series s using (organization_id, system_id, channel, kind);
alter table event_count_deltas add column key_id uuid not null;

-- Waiting events are processed by key in turns, so that a key with many does not delay the others.
alter table event_inbox no force row level security;
alter table event_inbox add column key_id uuid;
update event_inbox i set key_id = e.key_id from events e
  where (e.retention_days, e.received_at, e.organization_id, e.system_id, e.channel, e.id)
    = (i.retention_days, i.received_at, i.organization_id, i.system_id, i.channel, i.event_id);
delete from event_inbox where key_id is null;
alter table event_inbox alter column key_id set not null;
alter table event_inbox force row level security;
create index event_inbox_of_key on event_inbox (organization_id, key_id, sequence);
drop index event_inbox_of_system;
grant insert (key_id) on event_inbox to {{system}};

-- When a silent probe reported again: one that comes and goes is not found silent each time.
alter table probes add column returned_at timestamptz(3);
grant select (returned_at) on probes to {{system}};

-- The oldest changes are removed in their order.
drop index source_changes_newest;
create index source_changes_newest on source_changes (organization_id, source_id, occurred_at, event_id, place);

alter table events force row level security;
alter table event_series force row level security;
alter table event_series_keys force row level security;
alter table event_counts force row level security;
alter table event_count_deltas force row level security;

do $$
declare
  partition text;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname ~ '^events_\d+$' and p.relnamespace = 'public'::regnamespace
  loop
    execute format('create index on %I (organization_id, series_hash, occurred_at desc, id desc)', partition);
  end loop;
end $$;

-- As before, with that column and index.
create or replace function create_event_partitions(retention smallint, moment timestamptz, ahead int) returns void
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
      execute format('create table public.%I (like %I including defaults including constraints including generated)', parent || suffix, parent);
      execute format('call isolate_tenant(%L)', parent || suffix);
    end loop;
    execute format('create unique index on %I (organization_id, system_id, channel, id)', 'events' || suffix);
    -- All that events are listed and filtered by, in the order in which they are listed.
    execute format('create index on %I (organization_id, occurred_at desc, id desc, channel desc, system_id desc)
      include (kind, retention_days, received_at)', 'events' || suffix);
    -- Those of one series and key.
    execute format('create index on %I (organization_id, series_hash, occurred_at desc, id desc)', 'events' || suffix);
    -- Room for updates without new index entries.
    execute format('alter table %I set (fillfactor = 60)', 'event_counts' || suffix);
    foreach parent in array array['events', 'event_counts'] loop
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        format('%s_%s', parent, retention), parent || suffix, first_day, first_day + days);
    end loop;
  end loop;
end $$;

-- As before, with the key.
create or replace function store_events(
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
      insert into event_count_deltas (organization_id, system_id, channel, kind, key_id, hour, retention_days, received_day, count)
      select organization_id, system_id, channel, kind, key_id, date_trunc('hour', occurred_at, 'UTC'), retention, today, count(*)::int
      from fresh group by 1, 2, 3, 4, 5, 6
    ), queued as (
      insert into event_inbox (organization_id, channel, system_id, key_id, event_id, retention_days, received_at)
      select organization_id, channel, system_id, key_id, id, retention, moment from fresh where is_posture = 't' order by place
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

-- As before, with the keys of each series.
create or replace function fold_event_counts(most int, most_series int) returns int language plpgsql volatile
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
    select m.*, row_number() over (partition by organization_id order by system_id, channel, kind) <= room.room
      -- Clients choose kinds: one key does not take the room of others.
      and row_number() over (partition by organization_id, system_id, channel order by kind) <= 200 - (
        select count(*) from event_series s
        where (s.organization_id, s.system_id, s.channel) = (m.organization_id, m.system_id, m.channel)) as fits
    from missing m join room using (organization_id)
  )
  insert into event_series (organization_id, system_id, channel, kind)
  select distinct organization_id, system_id, channel, case when fits then kind else '' end from placed
  on conflict do nothing;
  -- Of events that are counted together, the keys are not asked for.
  insert into event_series_keys (organization_id, series, key_id)
  select distinct d.organization_id, s.id, d.key_id from event_count_deltas d join event_series s
    on (s.organization_id, s.system_id, s.channel, s.kind) = (d.organization_id, d.system_id, d.channel, d.kind)
  where d.ctid = any(taken)
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
