-- oldest: 0055
-- Finished scans are deleted with their runs when they are past the retention of their organization: by row, since it differs between
-- organizations, and a few at a time.

-- Null keeps them: of the organizations that exist, nothing is deleted before a person decides so.
alter table organizations add column scan_retention_days smallint
  check (scan_retention_days in (30, 90, 180, 365, 730, 2190));
alter table organizations alter column scan_retention_days set default 365;
-- Until then, a change can be undone.
alter table organizations add column scan_retention_applies_at timestamptz(3) not null default now();
grant update (scan_retention_days, scan_retention_applies_at) on organizations to {{app}};

-- How far the retention of a day is applied.
create table retention_turns (
  organization_id uuid primary key references organizations (id),
  day date not null,
  ended boolean not null,
  -- The last scan that was read.
  scan_created_at timestamptz(3) not null,
  scan_id uuid not null,
  -- Scans that were deleted, by status.
  completed int not null default 0,
  failed int not null default 0,
  canceled int not null default 0
);
call isolate_tenant('retention_turns');
create policy system on retention_turns for select to {{system}} using (true);
grant select on retention_turns to {{app}}, {{system}};

-- What refers to a scan is looked up for each that is deleted.
create index evidence_by_scan on evidence (organization_id, scan_id) where scan_id is not null;
-- A column that changes with every scan needs no index: the last scan is read only to cancel it, if it is unfinished.
alter table watches drop constraint watches_organization_id_last_scan_id_fkey;

-- The moment before which scans are deleted today; null if none are.
create function scan_horizon(retention_days smallint, applies_at timestamptz) returns timestamptz language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case when applies_at <= now() then date_trunc('day', now(), 'UTC') - retention_days * interval '24 hours' end
$$;
revoke execute on function scan_horizon from public;
grant execute on function scan_horizon to {{app}}, {{system}};

-- Deletes the next finished scans of the transaction's organization that are past its retention, of at most `at_most`. The last scan of each
-- source and system remains, and so do those that evidence was taken of. Returns the turn, or nothing if another worker has it
-- or none is due. It runs as the owner, since the app role must not delete any other scan.
create function delete_old_scans(at_most int) returns setof retention_turns language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
  today date := (now() at time zone 'UTC')::date;
  first_id uuid := '00000000-0000-0000-0000-000000000000';
  horizon timestamptz;
begin
  select scan_horizon(scan_retention_days, scan_retention_applies_at) into horizon from organizations where id = organization;
  if horizon is null then return; end if;
  insert into retention_turns (organization_id, day, ended, scan_created_at, scan_id)
    values (organization, today, false, '-infinity', first_id)
  on conflict (organization_id) do nothing;
  perform from retention_turns t where t.organization_id = organization for update skip locked;
  if not found then return; end if;
  -- From the oldest scan again, since one that remained may be past its retention now. What a turn deleted that did not end on its day
  -- counts for the next one.
  update retention_turns t set day = today, ended = false, scan_created_at = '-infinity', scan_id = first_id,
    completed = case when t.ended then 0 else t.completed end, failed = case when t.ended then 0 else t.failed end,
    canceled = case when t.ended then 0 else t.canceled end
  where t.organization_id = organization and t.day < today;
  return query
    with turn as (
      select * from retention_turns t where t.organization_id = organization and not t.ended
    ), batch as materialized (
      select s.id, s.created_at, s.status, s.finished_at is not null
        and not exists (select from last_scans l where l.organization_id = organization
          and l.target_id = coalesce(s.source_id, s.system_id) and l.scan_id = s.id)
        and not exists (select from evidence e where e.organization_id = organization and e.scan_id = s.id) as is_old
      from turn t cross join lateral (
        select * from scans s where s.organization_id = organization and s.created_at < horizon
          and (s.created_at, s.id) > (t.scan_created_at, t.scan_id)
        order by s.created_at, s.id limit at_most) as s
    ), runs as (
      delete from scan_runs r using batch b where r.organization_id = organization and r.scan_id = b.id and b.is_old
    ), assessments as (
      delete from probe_assessments a using batch b where a.organization_id = organization and a.scan_id = b.id and b.is_old
    ), gone as (
      delete from scans s using batch b where s.organization_id = organization and s.id = b.id and b.is_old returning s.status
    ), counted as (
      select count(*) filter (where status = 'completed') as completed, count(*) filter (where status = 'failed') as failed,
        count(*) filter (where status = 'canceled') as canceled from gone
    ), newest as (
      select created_at, id from batch order by created_at desc, id desc limit 1
    )
    update retention_turns t set ended = (select count(*) from batch) < at_most,
      scan_created_at = coalesce((select created_at from newest), t.scan_created_at),
      scan_id = coalesce((select id from newest), t.scan_id),
      completed = t.completed + c.completed, failed = t.failed + c.failed, canceled = t.canceled + c.canceled
    from counted c, turn where t.organization_id = turn.organization_id returning t.*;
end $$;
revoke execute on function delete_old_scans from public;
grant execute on function delete_old_scans to {{app}};
