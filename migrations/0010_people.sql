-- People sign in once and belong to any number of organizations: their accounts are reached by {{system}} alone. What
-- {{app}} may see of a person is who it is, of those who belong or belonged to its organization.
create table people (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  -- Argon2id, in the PHC string format. Null: signs in with a provider only.
  password_hash text,
  password_changed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create unique index people_email on people (lower(email));

create table memberships (
  organization_id uuid not null references organizations (id),
  person_id uuid not null references people (id),
  role text not null check (role in ('member', 'admin', 'owner')),
  joined_at timestamptz(3) not null default now(),
  -- Who left stays known by name, in the audit log and in decisions.
  left_at timestamptz(3),
  visited_at timestamptz(3),
  previous_visit_at timestamptz(3),
  primary key (organization_id, person_id)
);
call isolate_tenant('memberships');
create policy system on memberships to {{system}} using (true);
grant select on memberships to {{app}};
grant update (visited_at, previous_visit_at) on memberships to {{app}};
grant select, insert, update on memberships to {{system}};

alter table people enable row level security;
alter table people force row level security;
create policy tenant on people for select
  using (exists (select from memberships m where m.person_id = people.id
    and m.organization_id = nullif(current_setting('parapet.organization_id', true), '')::uuid));
create policy system on people to {{system}} using (true);
grant select (id, email, name) on people to {{app}};
grant select, insert, update on people to {{system}};

-- Accounts at an OpenID provider.
create table person_identities (
  issuer text not null,
  subject text not null,
  person_id uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
grant select, insert on person_identities to {{system}};

-- One browser that signed in. The cookie's token is kept as a hash only.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  second_factor_at timestamptz(3),
  stepped_up_at timestamptz(3),
  -- The WebAuthn challenge that this session may answer, once.
  challenge text,
  challenge_expires_at timestamptz(3),
  ended_at timestamptz(3)
);
create index sessions_of_person on sessions (person_id, last_seen_at desc);
grant select, insert, update, delete on sessions to {{system}};

-- A secret counts once a code of it was given; until then the one before does.
create table totp_factors (
  person_id uuid not null references people (id),
  confirmed boolean not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  -- The last time step of which a code was taken (RFC 6238): none of it or before is taken again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (person_id, confirmed)
);
grant select, insert, update, delete on totp_factors to {{system}};

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id),
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_of_person on passkeys (person_id, created_at);
grant select, insert, update, delete on passkeys to {{system}};

create table backup_codes (
  person_id uuid not null references people (id),
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz(3),
  primary key (person_id, code_hash)
);
grant select, insert, update, delete on backup_codes to {{system}};

-- Wrong attempts to sign in, by what was tried from where. `subject` is a hash.
create table sign_in_attempts (
  subject bytea primary key,
  failures int not null,
  blocked_until timestamptz(3) not null,
  last_attempt_at timestamptz(3) not null
);
create index sign_in_attempts_old on sign_in_attempts (last_attempt_at);
grant select, insert, update, delete on sign_in_attempts to {{system}};

-- Links that work once: the set-up of the first start, and a new password by the operator's hand.
create table one_time_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null check (purpose in ('set_up', 'password')),
  person_id uuid references people (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  check ((purpose = 'password') = (person_id is not null))
);
grant select, insert, update, delete on one_time_links to {{system}};

create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null check (role in ('member', 'admin', 'owner')),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  invited_by uuid references people (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  -- Whoever opens a link does not know the organization yet.
  constraint invitations_token unique (token_hash)
);
call isolate_tenant('invitations');
create policy system on invitations to {{system}} using (true);
grant select, insert, update on invitations to {{system}};
grant select, insert on invitations to {{app}};
grant update (revoked_at) on invitations to {{app}};

-- What a key is for, in its minter's words.
alter table api_keys add column name text;

-- From where an act came: the client's address. Part of what is hashed wherever it is there, so that the chains of
-- before hold as they are.
alter table audit_entries add column address text;
drop function append_audit(text, text, text, text, text, jsonb);
drop function audit_text(uuid, bigint, timestamptz, text, text, text, text, text, jsonb);

create function audit_text(
  organization_id uuid, sequence bigint, occurred_at timestamptz, actor_kind text, actor_id text,
  action text, object_kind text, object_id text, detail jsonb, address text
) returns text language sql immutable set timezone = 'UTC' as $$
  select (jsonb_build_array(organization_id, sequence, extract(epoch from occurred_at)::text, actor_kind, actor_id,
    action, object_kind, object_id, detail)
    || case when address is null then '[]'::jsonb else jsonb_build_array(address) end)::text
$$;

create function append_audit(
  actor_kind text, actor_id text, action text, object_kind text, object_id text, detail jsonb, address text
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
    actor_id, action, object_kind, object_id, detail, address), 'UTF8'));
  insert into audit_entries values (organization, head.sequence + 1, moment, actor_kind, actor_id, action,
    object_kind, object_id, detail, head.hash, next_hash, address);
  update audit_heads h set sequence = head.sequence + 1, hash = next_hash where h.organization_id = organization;
end $$;
grant execute on function append_audit to {{app}}, {{system}};
