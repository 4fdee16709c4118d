create table scans (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  profile text not null,
  status text not null default 'queued',
  verdict text,
  system_id uuid,
  source_id uuid,
  idempotency_key text not null,
  runs_planned int not null default 0,
  runs_succeeded int not null default 0,
  failure_cause text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (organization_id, id),
  constraint scans_idempotency_key unique (organization_id, idempotency_key),
  foreign key (organization_id, system_id) references systems (organization_id, id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  check (num_nonnulls(system_id, source_id) = 1),
  check ((status in ('completed', 'failed', 'canceled')) = (finished_at is not null))
);
create index scans_newest on scans (organization_id, created_at desc, id desc);
create index scans_unfinished on scans (organization_id, created_at) where finished_at is null;
call isolate_tenant('scans');
create policy system on scans for select to {{system}} using (true);
grant select, insert, update on scans to {{app}};
grant select on scans to {{system}};

create table scan_runs (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  scan_id uuid not null,
  source_id uuid not null,
  detector text not null,
  status text not null default 'queued',
  cause text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (organization_id, id),
  constraint scan_runs_once unique (organization_id, scan_id, source_id, detector),
  foreign key (organization_id, scan_id) references scans (organization_id, id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('scan_runs');
grant select, insert, update on scan_runs to {{app}};

create table findings (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  system_id uuid not null,
  source_id uuid not null,
  category text not null collate "C",
  fingerprint text not null,
  locator text not null,
  severity text not null,
  title text not null,
  remediation text not null,
  seen text not null,
  hipaa boolean not null,
  -- What the detectors say and what people say are kept apart; the status follows from both.
  observed boolean not null default true,
  triage text check (triage in ('accepted', 'false_positive')),
  accepted_until timestamptz(3),
  status text not null generated always as (
    case when not observed then 'resolved' else coalesce(triage, 'open') end) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint findings_fingerprint unique (organization_id, fingerprint),
  foreign key (organization_id, system_id) references systems (organization_id, id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  check ((triage is not distinct from 'accepted') = (accepted_until is not null))
);
create index findings_newest on findings (organization_id, created_at desc, id desc);
create index findings_by_severity on findings (organization_id, severity, created_at desc, id desc);
create index findings_by_status on findings (organization_id, status, created_at desc, id desc);
create index findings_by_category on findings (organization_id, category, created_at desc, id desc);
create index findings_hipaa on findings (organization_id, created_at desc, id desc) where hipaa;
create index findings_of_system on findings (organization_id, system_id, created_at desc, id desc);
create index findings_of_source on findings (organization_id, source_id, created_at desc, id desc);
call isolate_tenant('findings');
grant select, insert, update on findings to {{app}};

-- From seen to not seen any more: one finding's history.
create table finding_episodes (
  organization_id uuid not null,
  finding_id uuid not null,
  number int not null,
  opened_at timestamptz(3) not null default now(),
  opened_by_scan uuid not null,
  closed_at timestamptz(3),
  closed_by_scan uuid,
  primary key (organization_id, finding_id, number),
  foreign key (organization_id, finding_id) references findings (organization_id, id)
);
call isolate_tenant('finding_episodes');
grant select, insert, update on finding_episodes to {{app}};
