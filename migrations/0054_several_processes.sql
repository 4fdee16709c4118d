-- For several processes. While nodes of the version before run, their scores can miss a change of the new ones until the next: they wait
-- for another lock.

-- How many changes a person, a session or an organization has made within a time window, on all nodes together. After a crash, counting
-- begins again, so that nothing needs to reach the disk.
create unlogged table change_counts (
  holder text primary key check (length(holder) between 1 and 200),
  ends_at timestamptz not null,
  changes int not null check (changes > 0)
);
grant select, insert, update, delete on change_counts to {{system}};

-- As before, but says whether there is more to append: a thousand entries at a time, since each updates the head of the log, whose former
-- versions stay until the commit.
drop function settle_audit_log;
create function settle_audit_log() returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '1s'
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  if not exists (select from pending_audit_entries p where p.organization_id = organization) then return false; end if;
  perform lock_audit_head(organization);
  perform chain_pending_audit_entries(organization);
  return exists (select from pending_audit_entries p where p.organization_id = organization);
exception when lock_not_available then
  return false;
end $$;
grant execute on function settle_audit_log to {{app}};
