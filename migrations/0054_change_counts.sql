-- How many changes a person, a session or an organization has made within a time window, on all nodes together. After a crash, counting
-- begins again, so that nothing needs to reach the disk.
create unlogged table change_counts (
  holder text primary key check (length(holder) between 1 and 200),
  ends_at timestamptz not null,
  changes int not null check (changes > 0)
);
grant select, insert, update, delete on change_counts to {{system}};

-- As before, but appends up to a hundred thousand entries instead of one thousand.
create or replace function settle_audit_log() returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '1s'
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  if not exists (select from pending_audit_entries p where p.organization_id = organization) then return; end if;
  perform lock_audit_head(organization);
  -- Bounded, since others add entries meanwhile.
  for batch in 1 .. 100 loop
    perform chain_pending_audit_entries(organization);
    exit when not exists (select from pending_audit_entries p where p.organization_id = organization);
  end loop;
exception when lock_not_available then
  return;
end $$;
