-- The database enforces what the service promises even against a session of {{app}} or {{system}} that runs SQL of an
-- attacker. docs/architecture.md, "Database roles", lists the guarantees; test/storage/privileges.test.ts tests them.

-- Exact limits and single-use nonces need a snapshot taken after the advisory locks. A database that defaults to another
-- isolation level would silently break both, so spending a nonce at another level fails.
create function require_read_committed() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'request admission requires isolation level read committed'
      using errcode = 'invalid_transaction_state';
  end if;
  return null;
end $$;
create trigger require_read_committed before insert on request_nonces
  for each statement execute function require_read_committed();

-- Audit entries are written by this function only. It runs as the owner, because neither role may write the tables.
create or replace function append_audit(
  actor_kind text, actor_id text, action text, object_kind text, object_id text, detail jsonb, address text
) returns void language plpgsql security definer as $$
declare
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
  head audit_heads%rowtype;
  moment timestamptz(3);
  next_hash bytea;
begin
  insert into audit_heads values (organization, 0, '\x') on conflict do nothing;
  select * into strict head from audit_heads h where h.organization_id = organization for update;
  moment := clock_timestamp();
  next_hash := sha256(head.hash || convert_to(audit_text(organization, head.sequence + 1, moment, actor_kind,
    actor_id, action, object_kind, object_id, detail, address), 'UTF8'));
  insert into audit_entries values (organization, head.sequence + 1, moment, actor_kind, actor_id, action,
    object_kind, object_id, detail, head.hash, next_hash, address);
  update audit_heads h set sequence = head.sequence + 1, hash = next_hash where h.organization_id = organization;
end $$;
revoke insert, update on audit_heads, audit_entries from {{app}}, {{system}};

-- These triggers stop mistakes of the owner too. An owner who disables them is found by verification against an anchor.
create function keep_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'check_violation';
end $$;
create trigger keep_audit_log before update or delete on audit_entries
  for each row execute function keep_audit_log();
create trigger keep_audit_log_whole before truncate on audit_entries
  for each statement execute function keep_audit_log();
create trigger keep_audit_heads before delete on audit_heads
  for each row execute function keep_audit_log();
create trigger keep_audit_heads_whole before truncate on audit_heads
  for each statement execute function keep_audit_log();
create trigger keep_audit_heads_moving before update on audit_heads for each row
  when (new.organization_id <> old.organization_id or new.sequence <> old.sequence + 1)
  execute function keep_audit_log();

-- A role that could set a version back would have stale answers served from memory.
alter function advance_data_version() security definer;
revoke select, insert, update on data_versions from {{app}};

-- Grants that no statement uses.
revoke all on invitations from {{app}};
revoke select on scans from {{system}};
drop policy system on scans;

-- Makes every column of a relation that is not in `kept` writable (privilege `insert` or `update`) or readable
-- (`select`) by the role, and those in `kept` not. Runs at each start (src/storage/column-rights.ts), since a later
-- migration may add a column. Does nothing where the privileges are right already.
create procedure restrict_columns(relation regclass, role name, privilege text, kept text[])
language plpgsql as $$
declare
  allowed text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into allowed from pg_attribute
    where attrelid = relation and attnum > 0 and not attisdropped and attname <> all (kept);
  if has_table_privilege(role, relation, privilege) or exists (
    select from pg_attribute where attrelid = relation and attnum > 0 and not attisdropped
      and has_column_privilege(role, relation, attnum, privilege) <> (attname <> all (kept)))
  then
    execute format('revoke %s on %s from %I', privilege, relation, role);
    execute format('grant %s (%s) on %s to %I', privilege, allowed, relation, role);
  end if;
end $$;

-- Functions: executable only by those who are granted that, and resolving names in our schema only.
do $$
declare
  routine regprocedure;
begin
  for routine in
    select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace
      and p.proowner = (select oid from pg_roles where rolname = current_user)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke execute on routine %s from public', routine);
    execute format('alter routine %s set search_path = pg_catalog, public, pg_temp', routine);
  end loop;
end $$;
alter default privileges revoke execute on routines from public;
grant execute on function append_audit to {{app}}, {{system}};
grant execute on function advance_data_version to {{app}};
grant execute on function admit_requests to {{system}};
