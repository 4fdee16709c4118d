-- What owners and admins note about a control, each version kept; the newest counts, and null says nothing.
create table control_notes (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  control text not null collate "C",
  note text,
  written_by uuid not null references people (id),
  written_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index control_notes_newest on control_notes (organization_id, control, written_at desc, id desc);
call isolate_tenant('control_notes');
grant select on control_notes to {{app}};
grant insert (control, note, written_by) on control_notes to {{app}};

-- What a person states about a control, until a date. Nothing of it changes, but that it may be withdrawn, once.
create table control_attestations (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  control text not null collate "C",
  statement text not null,
  attested_by uuid not null references people (id),
  attested_at timestamptz(3) not null default now(),
  valid_until timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  withdrawn_by uuid references people (id),
  withdrawal_reason text,
  primary key (organization_id, id),
  check (valid_until > attested_at),
  check (num_nonnulls(withdrawn_at, withdrawn_by, withdrawal_reason) in (0, 3))
);
create index control_attestations_newest on control_attestations (organization_id, control, attested_at desc, id desc);
call isolate_tenant('control_attestations');
grant select on control_attestations to {{app}};
grant insert (control, statement, attested_by, valid_until) on control_attestations to {{app}};
grant update (withdrawn_at, withdrawn_by, withdrawal_reason) on control_attestations to {{app}};

create function hold_attestation() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null then
    raise exception 'a withdrawal is final' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger hold_attestation before update on control_attestations
  for each row execute function hold_attestation();

-- Both are documentation that has to be kept (45 CFR 164.316(b)(2)(i)): nobody deletes of it, and nobody rewrites a note.
create function hold_control_record() returns trigger language plpgsql as $$
begin
  raise exception 'the record of controls is kept' using errcode = 'check_violation';
end $$;
create trigger hold_record before update or delete on control_notes
  for each row execute function hold_control_record();
create trigger hold_record before delete on control_attestations
  for each row execute function hold_control_record();
create trigger hold_record_whole before truncate on control_notes
  for each statement execute function hold_control_record();
create trigger hold_record_whole before truncate on control_attestations
  for each statement execute function hold_control_record();

-- The matrix of controls counts open and accepted findings by check and source: all of that is in this index.
create index findings_by_check on findings (organization_id, category, source_id, severity, status, accepted_until)
  where status in ('open', 'accepted');

-- Evidence: snapshots and uploaded files, encrypted under keys of their own that the master key wraps. Nobody changes one,
-- and nobody deletes one before its six years are over (45 CFR 164.316(b)(2)(i)).
create table evidence (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('controls', 'scan', 'file')),
  name text not null,
  media_type text not null,
  bytes int not null check (bytes > 0),
  -- Of the content before encryption.
  sha256 bytea not null check (octet_length(sha256) = 32),
  scan_id uuid,
  created_by uuid not null references people (id),
  created_at timestamptz(3) not null default now(),
  retained_until timestamptz(3) not null generated always as (
    ((created_at at time zone 'UTC') + interval '6 years') at time zone 'UTC') stored,
  master_key_id text not null,
  wrapped_key bytea not null,
  primary key (organization_id, id),
  foreign key (organization_id, scan_id) references scans (organization_id, id),
  check ((kind = 'scan') = (scan_id is not null))
);
create index evidence_newest on evidence (organization_id, created_at desc, id desc);
create index evidence_by_kind on evidence (organization_id, kind, created_at desc, id desc);
create index evidence_by_master_key on evidence (organization_id, master_key_id);
call isolate_tenant('evidence');
grant select, delete on evidence to {{app}};
grant insert (id, kind, name, media_type, bytes, sha256, scan_id, created_by, master_key_id, wrapped_key)
  on evidence to {{app}};
grant update (master_key_id, wrapped_key) on evidence to {{app}};
create policy system on evidence for select to {{system}} using (true);
grant select (organization_id, master_key_id) on evidence to {{system}};

-- The content in pieces of a quarter of a mebibyte, so that nobody holds all of it. They go with their row only.
create table evidence_pieces (
  organization_id uuid not null,
  evidence_id uuid not null,
  number int not null,
  ciphertext bytea not null,
  primary key (organization_id, evidence_id, number),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade
);
-- What is encrypted cannot be compressed.
alter table evidence_pieces alter column ciphertext set storage external;
call isolate_tenant('evidence_pieces');
grant select, insert on evidence_pieces to {{app}};

-- For the owner of the tables too: grants hold the service, these triggers hold whoever is at the database by hand.
create function hold_evidence() returns trigger language plpgsql as $$
declare
  -- What is generated is not there yet when this looks.
  changing constant text[] := '{master_key_id,wrapped_key,retained_until}';
begin
  if tg_op = 'DELETE' then
    if old.retained_until > now() then
      raise exception 'evidence is kept for six years' using errcode = 'check_violation', constraint = 'evidence_retained';
    end if;
    return old;
  end if;
  if to_jsonb(new) - changing <> to_jsonb(old) - changing then
    raise exception 'evidence does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger hold_evidence before update or delete on evidence for each row execute function hold_evidence();

create function hold_evidence_pieces() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from evidence e where e.organization_id = old.organization_id and e.id = old.evidence_id
      and e.retained_until > now())
  then
    return old;
  end if;
  raise exception 'evidence does not change' using errcode = 'check_violation';
end $$;
create trigger hold_evidence_pieces before update or delete on evidence_pieces
  for each row execute function hold_evidence_pieces();

create function hold_evidence_tables() returns trigger language plpgsql as $$
begin
  raise exception 'evidence is kept for six years' using errcode = 'check_violation';
end $$;
create trigger hold_evidence_tables before truncate on evidence
  for each statement execute function hold_evidence_tables();
create trigger hold_evidence_tables before truncate on evidence_pieces
  for each statement execute function hold_evidence_tables();

-- The audit log is read by who did it, by what was done, and by what it was done to, newest first.
create index audit_entries_by_actor on audit_entries (organization_id, actor_id, sequence desc);
create index audit_entries_by_action on audit_entries (organization_id, action, sequence desc);
create index audit_entries_by_object on audit_entries (organization_id, object_kind, object_id, sequence desc);
create index audit_entries_by_time on audit_entries (organization_id, occurred_at);
