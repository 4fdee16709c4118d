-- One who works in an organization can have its audit log held for seconds. What happens to a person's account is recorded in
-- the logs of all their organizations: waiting for one log, with the account and other logs locked, would make people wait
-- for an organization that their request has nothing to do with. Where a log is in use, the entry is kept here, in the
-- same transaction and with its time, and whoever appends to the log next appends it first.
create table pending_audit_entries (
  organization_id uuid not null references organizations (id),
  id bigint generated always as identity,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  detail jsonb not null,
  address text,
  primary key (organization_id, id)
);
call isolate_tenant('pending_audit_entries');
-- The functions below write it. Who does what is due asks whose entries are pending.
create policy system on pending_audit_entries for select to {{system}} using (true);
grant select (organization_id) on pending_audit_entries to {{system}};
create trigger keep_pending_audit_entries before update on pending_audit_entries
  for each row execute function keep_audit_log();
create trigger keep_pending_audit_entries_whole before truncate on pending_audit_entries
  for each statement execute function keep_audit_log();

-- One entry. The head of the chain is locked.
create function chain_audit_entry(
  organization uuid, happened_at timestamptz, actor_kind text, actor_id text, action text, object_kind text, object_id text,
  detail jsonb, address text
) returns void language plpgsql as $$
declare
  head audit_heads%rowtype;
  -- As the table keeps it: a parameter has no precision.
  moment timestamptz(3) := happened_at;
  next_hash bytea;
begin
  select * into strict head from audit_heads h where h.organization_id = organization;
  next_hash := sha256(head.hash || convert_to(audit_text(organization, head.sequence + 1, moment, actor_kind,
    actor_id, action, object_kind, object_id, detail, address), 'UTF8'));
  insert into audit_entries values (organization, head.sequence + 1, moment, actor_kind, actor_id, action,
    object_kind, object_id, detail, head.hash, next_hash, address);
  update audit_heads h set sequence = head.sequence + 1, hash = next_hash where h.organization_id = organization;
end $$;

-- Pending entries in their order, as many as take little time. The head of the chain is locked, so nobody else takes them.
create function chain_pending_audit_entries(organization uuid) returns void language plpgsql as $$
declare
  entry pending_audit_entries%rowtype;
begin
  for entry in
    with taken as (
      delete from pending_audit_entries p where p.organization_id = organization and p.id in (
        select id from pending_audit_entries where organization_id = organization order by id limit 1000)
      returning p.*
    ) select * from taken order by id
  loop
    perform chain_audit_entry(organization, entry.occurred_at, entry.actor_kind, entry.actor_id, entry.action,
      entry.object_kind, entry.object_id, entry.detail, entry.address);
  end loop;
end $$;

-- Locks the head, which it makes for the first entry. Inserting it would wait for whoever has updated it, also where it is there.
create function lock_audit_head(organization uuid) returns void language plpgsql as $$
begin
  perform from audit_heads h where h.organization_id = organization for update;
  if not found then
    insert into audit_heads values (organization, 0, '\x') on conflict do nothing;
    perform from audit_heads h where h.organization_id = organization for update;
  end if;
end $$;

-- Waits for the log. As before, but that it appends what is pending first.
create or replace function append_audit(
  actor_kind text, actor_id text, action text, object_kind text, object_id text, detail jsonb, address text
) returns void language plpgsql security definer
-- Replacing a function drops the settings that it had.
set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  perform lock_audit_head(organization);
  perform chain_pending_audit_entries(organization);
  perform chain_audit_entry(organization, clock_timestamp(), actor_kind, actor_id, action, object_kind, object_id,
    detail, address);
end $$;

-- Waits for nobody: appends where the log is free, and keeps the entry otherwise.
create function record_audit(
  actor_kind text, actor_id text, action text, object_kind text, object_id text, detail jsonb, address text
) returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  perform from audit_heads h where h.organization_id = organization for update skip locked;
  -- A log without a head has no entry: nobody but the transaction that creates the organization can write one.
  if found or not exists (select from audit_heads h where h.organization_id = organization) then
    perform append_audit(actor_kind, actor_id, action, object_kind, object_id, detail, address);
  else
    insert into pending_audit_entries (organization_id, actor_kind, actor_id, action, object_kind, object_id, detail, address)
      values (organization, actor_kind, actor_id, action, object_kind, object_id, detail, address);
  end if;
end $$;

-- Appends what is pending, where the log is free: also where nobody appends anything else.
create function append_pending_audit() returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
begin
  perform from audit_heads h where h.organization_id = organization for update skip locked;
  if found then
    perform chain_pending_audit_entries(organization);
  end if;
end $$;

alter function lock_audit_head set search_path = pg_catalog, public, pg_temp;
alter function chain_audit_entry set search_path = pg_catalog, public, pg_temp;
alter function chain_pending_audit_entries set search_path = pg_catalog, public, pg_temp;
-- {{system}} keeps append_audit for nodes of the version before, which run until they are replaced.
grant execute on function record_audit to {{system}};
grant execute on function append_pending_audit to {{app}};
