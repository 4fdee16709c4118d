-- {{app}} is the role of tenant-bound work, {{system}} that of what must look across organizations. Neither owns a
-- table, and row-level security holds for both: {{app}} sees the rows of parapet.organization_id, set for one
-- transaction; {{system}} sees all of the tables that it is granted.

grant select on schema_migrations to {{system}};

create table organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz(3) not null default now()
);

-- Where a table keeps rows of organizations, this closes it to all but its own (for the owner too) and fills in the
-- organization, so that no statement needs to name one.
create procedure isolate_tenant(relation regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', relation);
  execute format('alter table %s force row level security', relation);
  execute format(
    'alter table %s alter column organization_id set default nullif(current_setting(''parapet.organization_id'', true), '''')::uuid',
    relation);
  execute format(
    'create policy tenant on %s using (organization_id = nullif(current_setting(''parapet.organization_id'', true), '''')::uuid)',
    relation);
end $$;

alter table organizations enable row level security;
alter table organizations force row level security;
create policy tenant on organizations
  using (id = nullif(current_setting('parapet.organization_id', true), '')::uuid);
create policy system on organizations to {{system}} using (true);
grant select on organizations to {{app}};
grant select, insert on organizations to {{system}};

create table audit_heads (
  organization_id uuid primary key references organizations (id),
  sequence bigint not null,
  hash bytea not null
);
call isolate_tenant('audit_heads');
grant select, insert, update on audit_heads to {{app}};

create table audit_entries (
  organization_id uuid not null references organizations (id),
  sequence bigint not null,
  occurred_at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  detail jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (organization_id, sequence)
);
call isolate_tenant('audit_entries');
grant select, insert on audit_entries to {{app}};

-- The text that is hashed for an entry: a JSON array, so that no two different entries share one.
create function audit_text(
  organization_id uuid, sequence bigint, occurred_at timestamptz, actor_kind text, actor_id text,
  action text, object_kind text, object_id text, detail jsonb
) returns text language sql immutable set timezone = 'UTC' as $$
  select jsonb_build_array(organization_id, sequence, extract(epoch from occurred_at)::text, actor_kind, actor_id,
    action, object_kind, object_id, detail)::text
$$;

-- Appends to the chain of the organization that the transaction is bound to. The row lock on the head orders writers,
-- so that a sequence has no gaps and every entry hashes the one before.
create function append_audit(
  actor_kind text, actor_id text, action text, object_kind text, object_id text, detail jsonb
) returns void language plpgsql as $$
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
    actor_id, action, object_kind, object_id, detail), 'UTF8'));
  insert into audit_entries values (organization, head.sequence + 1, moment, actor_kind, actor_id, action,
    object_kind, object_id, detail, head.hash, next_hash);
  update audit_heads h set sequence = head.sequence + 1, hash = next_hash where h.organization_id = organization;
end $$;
grant execute on function append_audit to {{app}};
-- The system role writes entries too, bound to one organization like everyone; only its reading looks across.
create policy system on audit_heads for select to {{system}} using (true);
create policy system on audit_entries for select to {{system}} using (true);
grant select, insert, update on audit_heads to {{system}};
grant select, insert on audit_entries to {{system}};
