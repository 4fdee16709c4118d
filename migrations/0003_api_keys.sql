create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null,
  system_id uuid,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  public_key bytea not null check (octet_length(public_key) = 32),
  scopes text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (organization_id, id),
  -- A request names its key before its organization is known.
  constraint api_keys_id unique (id),
  foreign key (organization_id, system_id) references systems (organization_id, id),
  check ((kind = 'probe') = (system_id is not null))
);
call isolate_tenant('api_keys');
create policy system on api_keys to {{system}} using (true);
grant select, insert on api_keys to {{app}};
-- Scopes and public key never change after mint: no role but the owner of the table can change them.
grant update (expires_at, revoked_at) on api_keys to {{app}};
grant select on api_keys to {{system}};
grant update (last_used_at) on api_keys to {{system}};

-- Expiry only moves earlier and a revocation is final, whoever writes it.
create function hold_key_lifecycle() returns trigger language plpgsql as $$
begin
  if new.expires_at > old.expires_at then
    raise exception 'the expiry of a key can only be moved earlier' using errcode = 'check_violation';
  end if;
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'a revocation is final' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger hold_key_lifecycle before update of expires_at, revoked_at on api_keys
  for each row execute function hold_key_lifecycle();
