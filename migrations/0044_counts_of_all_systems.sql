-- Counts of all systems together: most pages do not filter by system, and read a row for each kind instead of each kind and system.
-- Their series have the nil UUID as the system. They have the kinds of the other series, so that they need no limit.
-- Not while another node updates the counts.
select pg_advisory_xact_lock(1162170448);
alter table event_counts drop constraint event_counts_grain_check;
alter table event_counts add constraint event_counts_grain_check
  check (grain in ('hour', 'day', 'hour_of_all', 'day_of_all'));

alter table event_series no force row level security;
alter table event_counts no force row level security;
insert into event_series (organization_id, system_id, channel, kind)
  select distinct organization_id, '00000000-0000-0000-0000-000000000000'::uuid, channel, kind from event_series;
insert into event_counts (organization_id, grain, series, at, retention_days, received_day, count)
  select c.organization_id, c.grain || '_of_all', a.id, c.at, c.retention_days, c.received_day, sum(c.count)::int
  from event_counts c
    join event_series s on (s.organization_id, s.id) = (c.organization_id, c.series)
    join event_series a on (a.organization_id, a.system_id, a.channel, a.kind)
      = (s.organization_id, '00000000-0000-0000-0000-000000000000', s.channel, s.kind)
  group by 1, 2, 3, 4, 5, 6;
alter table event_series force row level security;
alter table event_counts force row level security;

-- As before, with the counts of all systems.
create or replace function fold_event_counts(most int, most_series int) returns int language plpgsql volatile
set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
-- Rows are looked up by their place or an index, whatever the planner expects: a scan would compare each with all that are taken.
set enable_seqscan = off
as $$
declare
  all_systems constant uuid := '00000000-0000-0000-0000-000000000000';
  taken tid[];
begin
  if not pg_try_advisory_xact_lock(1162170448) then return 0; end if;
  taken := array(select ctid from event_count_deltas limit most);
  with missing as (
    select distinct organization_id, system_id, channel, kind from event_count_deltas d where ctid = any(taken)
      and not exists (select from event_series s where (s.organization_id, s.system_id, s.channel, s.kind)
        = (d.organization_id, d.system_id, d.channel, d.kind))
  ), room as (
    select organization_id, most_series - (select count(*) from event_series s
      where s.organization_id = m.organization_id and s.system_id <> all_systems) as room
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
  insert into event_series (organization_id, system_id, channel, kind)
  select distinct s.organization_id, all_systems, s.channel, s.kind from event_count_deltas d join event_series s
    on (s.organization_id, s.system_id, s.channel) = (d.organization_id, d.system_id, d.channel) and s.kind in (d.kind, '')
  where d.ctid = any(taken)
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
  select d.organization_id, grain, case when grain = unit then coalesce(s.id, others.id) else of_all.id end,
    date_trunc(unit, d.hour, 'UTC') as at, d.retention_days, d.received_day, sum(d.count)::int
  from gone d
  cross join (values ('hour', 'hour'), ('day', 'day'), ('hour_of_all', 'hour'), ('day_of_all', 'day')) as counted (grain, unit)
  left join event_series s on (s.organization_id, s.system_id, s.channel, s.kind)
    = (d.organization_id, d.system_id, d.channel, d.kind)
  left join event_series others on (others.organization_id, others.system_id, others.channel, others.kind)
    = (d.organization_id, d.system_id, d.channel, '')
  left join event_series of_all on (of_all.organization_id, of_all.system_id, of_all.channel, of_all.kind)
    = (d.organization_id, all_systems, d.channel, coalesce(s.kind, ''))
  -- Of those past their retention, the partition may be gone.
  where d.received_day >= date_trunc('day', now(), 'UTC') - d.retention_days * interval '24 hours'
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (organization_id, grain, series, at, retention_days, received_day)
    do update set count = kept.count + excluded.count;
  return cardinality(taken);
end $$;
