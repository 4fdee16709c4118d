-- oldest: 0055
-- Organizations can be deleted, by the owner of the database alone.

alter table organizations
  -- From then on, nobody and no worker uses it.
  add column deleted_at timestamptz(3),
  -- From then on, its rows are being deleted: an export would be incomplete.
  add column erasing_since timestamptz(3);

-- Whether rows of the organization may be deleted that are kept otherwise. Not in functions that run as the owner in a session of another role.
create function may_erase(organization uuid) returns boolean language plpgsql stable
set search_path = pg_catalog, public, pg_temp
as $$
begin
  return session_user = current_user
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'public.organizations'::regclass)
    and exists (select from organizations o where o.id = organization and o.deleted_at is not null);
end $$;
-- {{app}} deletes evidence after its six years.
grant execute on function may_erase to {{app}};

-- These are as before, but that they let through what is deleted with its organization.
create or replace function keep_audit_log() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    if may_erase(old.organization_id) then return old; end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'check_violation';
end $$;

create or replace function hold_control_record() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    if may_erase(old.organization_id) then return old; end if;
  end if;
  raise exception 'the record of controls is kept' using errcode = 'check_violation';
end $$;

create or replace function hold_attestation_evidence() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and (may_erase(old.organization_id) or not exists (
    select from evidence e where e.organization_id = old.organization_id and e.id = old.evidence_id))
  then
    return old;
  end if;
  raise exception 'the record of controls is kept' using errcode = 'check_violation';
end $$;

create or replace function hold_evidence() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
declare
  -- What is generated is not there yet when this looks.
  changing constant text[] := '{master_key_id,wrapped_key,retained_until}';
begin
  if tg_op = 'DELETE' then
    if old.retained_until > now() and not may_erase(old.organization_id) then
      raise exception 'evidence is kept for six years' using errcode = 'check_violation', constraint = 'evidence_retained';
    end if;
    return old;
  end if;
  if to_jsonb(new) - changing <> to_jsonb(old) - changing then
    raise exception 'evidence does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function hold_evidence_pieces() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and (may_erase(old.organization_id) or not exists (
    select from evidence e where e.organization_id = old.organization_id and e.id = old.evidence_id
      and e.retained_until > now()))
  then
    return old;
  end if;
  raise exception 'evidence does not change' using errcode = 'check_violation';
end $$;

-- Workers find nothing that is due in a deleted organization, also those of the release before.
create policy not_deleted on watches as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on findings as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on probes as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on probe_targets as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on shields as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on pending_audit_entries as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
-- No request that was admitted before starts a scan.
create policy not_deleted on scans as restrictive for insert to {{app}}
  with check ((select deleted_at is null from organizations));

-- Accounts do not belong to the organization that invited them.
alter table people
  drop constraint people_invited_by_fkey,
  add constraint people_invited_by_fkey foreign key (invited_by) references organizations (id) on delete set null;
