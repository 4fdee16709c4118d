-- Scans that contacted nothing: the service assessed what it knows itself. A source can have many of them, and its last other scan is
-- read for every source of an organization.
alter table scans add column is_own boolean not null default false;
alter table scans no force row level security;
-- By organization, so that runs are read as always: without a lock on them, which others take before that on scans.
do $$
declare
  organization uuid;
begin
  for organization in select distinct organization_id from scans loop
    perform set_config('parapet.organization_id', organization::text, true);
    update scans s set is_own = true where s.organization_id = organization and exists (
      select from scan_runs r where (r.organization_id, r.scan_id) = (organization, s.id)
        and (r.detector like 'probe.%' or r.detector like 'shield.%'));
  end loop;
  perform set_config('parapet.organization_id', '', true);
end $$;
alter table scans force row level security;
create index scans_not_own on scans (organization_id, source_id, created_at desc, id desc) where not is_own;
