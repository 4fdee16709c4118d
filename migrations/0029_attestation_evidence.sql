-- The evidence of an attestation: without any that is still kept, the attestation supports no control. A link is part of the
-- record of controls, and goes only with evidence that is old enough to be deleted.
create table attestation_evidence (
  organization_id uuid not null references organizations (id),
  attestation_id uuid not null,
  evidence_id uuid not null,
  linked_by uuid not null references people (id),
  linked_at timestamptz(3) not null default now(),
  primary key (organization_id, attestation_id, evidence_id),
  foreign key (organization_id, attestation_id) references control_attestations (organization_id, id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade
);
create index attestation_evidence_by_evidence on attestation_evidence (organization_id, evidence_id);
call isolate_tenant('attestation_evidence');
grant select on attestation_evidence to {{app}};
grant insert (attestation_id, evidence_id, linked_by) on attestation_evidence to {{app}};

create function hold_attestation_evidence() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and not exists (
    select from evidence e where e.organization_id = old.organization_id and e.id = old.evidence_id)
  then
    return old;
  end if;
  raise exception 'the record of controls is kept' using errcode = 'check_violation';
end $$;
create trigger hold_record before update or delete on attestation_evidence
  for each row execute function hold_attestation_evidence();
create trigger hold_record_whole before truncate on attestation_evidence
  for each statement execute function hold_control_record();
