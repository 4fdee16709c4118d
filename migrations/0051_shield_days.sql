-- The sums of `shield_hours` by UTC day, which the list of all websites reads: 3,500 rows of 500 websites instead of 165,000.
create table shield_days (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  day date not null,
  blocked bigint not null,
  detected bigint not null,
  primary key (organization_id, day, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
create index shield_days_by_day on shield_days (day);
call isolate_tenant('shield_days');
-- Read as a whole: the setting is read once for each statement.
alter policy tenant on shield_days
  using (organization_id = (select nullif(current_setting('parapet.organization_id', true), '')::uuid));
grant select, insert, update on shield_days to {{app}};
create policy system_select on shield_days for select to {{system}} using (true);
create policy system_delete on shield_days for delete to {{system}} using (true);
grant select (day), delete on shield_days to {{system}};

create function sum_shield_days() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
begin
  insert into shield_days as d (organization_id, source_id, day, blocked, detected)
    select organization_id, source_id, hour::date, sum(blocked), sum(detected) from added group by 1, 2, 3
    on conflict (organization_id, day, source_id) do update
      set blocked = d.blocked + excluded.blocked, detected = d.detected + excluded.detected;
  return null;
end $$;
create trigger sum_days_added after insert on shield_hours referencing new table as added
  for each statement execute function sum_shield_days();

create function sum_changed_shield_days() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
set timezone = 'UTC'
as $$
begin
  insert into shield_days as d (organization_id, source_id, day, blocked, detected)
    select organization_id, source_id, hour::date, sum(blocked), sum(detected) from (
      select organization_id, source_id, hour, blocked, detected from added
      union all select organization_id, source_id, hour, -blocked, -detected from removed) as changes
    group by 1, 2, 3 having sum(blocked) <> 0 or sum(detected) <> 0
    on conflict (organization_id, day, source_id) do update
      set blocked = d.blocked + excluded.blocked, detected = d.detected + excluded.detected;
  return null;
end $$;
create trigger sum_days_changed after update on shield_hours referencing old table as removed new table as added
  for each statement execute function sum_changed_shield_days();

-- The lock that writers take first. Until this commits, they wait.
lock table shield_hours in share row exclusive mode;
alter table shield_hours no force row level security;
alter table shield_days no force row level security;
insert into shield_days (organization_id, source_id, day, blocked, detected)
  select organization_id, source_id, (hour at time zone 'UTC')::date, sum(blocked), sum(detected) from shield_hours group by 1, 2, 3;
alter table shield_hours force row level security;
alter table shield_days force row level security;
