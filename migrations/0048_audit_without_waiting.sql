-- Writers of one organization waited for each other's commits: each appends to its audit log. All of them now use `record_audit`, which
-- keeps an entry as pending while another transaction appends. Readers have pending entries appended first.
grant execute on function record_audit to {{app}};
revoke execute on function append_audit from {{app}}, {{system}};

-- Appends what is pending. Waits up to a second for a transaction that appends; then its reader sees the log without the rest.
create function settle_audit_log() returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '1s'
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  if not exists (select from pending_audit_entries p where p.organization_id = organization) then return; end if;
  perform lock_audit_head(organization);
  perform chain_pending_audit_entries(organization);
exception when lock_not_available then
  return;
end $$;
grant execute on function settle_audit_log to {{app}};
