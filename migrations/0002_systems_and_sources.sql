create table systems (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  external_id text,
  environment text not null,
  kind text not null,
  approved boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint systems_external_id unique (organization_id, external_id)
);
create index systems_newest on systems (organization_id, created_at desc, id desc);
call isolate_tenant('systems');
grant select, insert, update on systems to {{app}};

create table sources (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  system_id uuid not null,
  name text not null,
  kind text not null,
  host text not null,
  connection_mode text not null,
  status text not null default 'draft',
  risk_statement_version text,
  risk_accepted_at timestamptz(3),
  scan_authorized_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, system_id) references systems (organization_id, id),
  -- What a draft or a disconnected source may never hold, whoever writes it.
  check (status not in ('draft', 'disconnected') or scan_authorized_at is null)
);
create index sources_newest on sources (organization_id, created_at desc, id desc);
create index sources_of_system on sources (organization_id, system_id);
call isolate_tenant('sources');
grant select, insert, update on sources to {{app}};

-- A table of its own, so that disconnecting a source erases the bytes with a row.
create table source_credentials (
  organization_id uuid not null,
  source_id uuid not null,
  type text not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  stored_at timestamptz(3) not null default now(),
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('source_credentials');
grant select, insert, update, delete on source_credentials to {{app}};
