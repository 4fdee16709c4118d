-- The sources on which a check passed or was not assessed, newest outcomes only: a control lists these. In source_checks, every check of
-- every source would be read to find them. Only outcomes that change are written, and without a reference to the source, which
-- source_checks has: to check 150 references of a scan takes longer than to insert the rows.
create table check_sources (
  organization_id uuid not null,
  check_id text not null collate "C",
  outcome text not null,
  source_id uuid not null,
  primary key (organization_id, check_id, outcome, source_id)
);
call isolate_tenant('check_sources');
grant select, insert, delete on check_sources to {{app}};

create function keep_check_sources() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and new.check_ids = old.check_ids and new.outcomes = old.outcomes then return null; end if;
  delete from check_sources where organization_id = new.organization_id and source_id = new.source_id
    and (check_id, outcome) in (
      select * from unnest(old.check_ids, old.outcomes) except select * from unnest(new.check_ids, new.outcomes));
  insert into check_sources (organization_id, check_id, outcome, source_id)
    select new.organization_id, check_id, outcome, new.source_id from (
      select * from unnest(new.check_ids, new.outcomes) except select * from unnest(old.check_ids, old.outcomes))
      as changed (check_id, outcome)
    where outcome in ('passed', 'not_assessed');
  return null;
end $$;
create trigger keep_check_sources after insert or update on source_checks for each row execute function keep_check_sources();

-- Until this commits, writers wait.
lock table source_checks in share row exclusive mode;
alter table source_checks no force row level security;
alter table check_sources no force row level security;
insert into check_sources (organization_id, check_id, outcome, source_id)
  select organization_id, check_id, outcome, source_id from source_checks
  cross join lateral unnest(check_ids, outcomes) as a (check_id, outcome) where outcome in ('passed', 'not_assessed');
alter table source_checks force row level security;
alter table check_sources force row level security;

-- Few: what is counted for all sources leaves these out.
create index sources_out_of_scope on sources (organization_id) where status in ('draft', 'disconnected');
