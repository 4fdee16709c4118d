-- What people decided about a finding, decision by decision. The finding itself holds the one that counts now.
create table finding_decisions (
  organization_id uuid not null,
  finding_id uuid not null,
  number int not null,
  decision text not null check (decision in ('accepted', 'false_positive', 'reopened', 'expired')),
  reason text,
  accepted_until timestamptz(3),
  actor_kind text not null,
  actor_id text not null,
  decided_at timestamptz(3) not null default now(),
  primary key (organization_id, finding_id, number),
  foreign key (organization_id, finding_id) references findings (organization_id, id),
  check ((decision = 'accepted') = (accepted_until is not null))
);
call isolate_tenant('finding_decisions');
grant select, insert on finding_decisions to {{app}};

-- An acceptance ends by its date: what is due is found across organizations, by id and date alone.
create index findings_accepted on findings (organization_id, accepted_until) where triage = 'accepted';
create policy system on findings for select to {{system}} using (triage = 'accepted');
grant select (organization_id, id, triage, accepted_until) on findings to {{system}};

-- What became of each check when the source was last looked at. A look that began earlier changes nothing.
create table check_assessments (
  organization_id uuid not null,
  source_id uuid not null,
  check_id text not null collate "C",
  outcome text not null check (outcome in ('passed', 'observed', 'not_assessed', 'not_applicable')),
  reason text,
  scan_id uuid not null,
  looked_at timestamptz(3) not null,
  primary key (organization_id, source_id, check_id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  foreign key (organization_id, scan_id) references scans (organization_id, id),
  check ((outcome in ('not_assessed', 'not_applicable')) = (reason is not null))
);
call isolate_tenant('check_assessments');
grant select, insert, update on check_assessments to {{app}};

-- Open findings of a source, counted when they change: the score is made of these few rows.
create table source_postures (
  organization_id uuid not null,
  source_id uuid not null,
  critical int not null,
  high int not null,
  medium int not null,
  low int not null,
  info int not null,
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('source_postures');
grant select, insert, update, delete on source_postures to {{app}};

-- The organization's score at the end of each day (UTC); today's row changes while the day lasts.
create table posture_scores (
  organization_id uuid not null references organizations (id),
  day date not null,
  -- Null on a day that ended without a source that had been looked at.
  score int check (score between 0 and 100),
  sources int not null,
  critical int not null,
  high int not null,
  medium int not null,
  low int not null,
  info int not null,
  recorded_at timestamptz(3) not null default now(),
  primary key (organization_id, day)
);
call isolate_tenant('posture_scores');
grant select, insert, update on posture_scores to {{app}};

-- verify_finding looks again at what one finding needs.
alter table scans add column finding_id uuid;
alter table scans add foreign key (organization_id, finding_id) references findings (organization_id, id);
alter table scans add check ((profile = 'verify_finding') = (finding_id is not null));
