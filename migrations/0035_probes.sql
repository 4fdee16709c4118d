-- A probe is known by its name within a system. `last_seen_at` is the service's time, `reported_at` the probe's: reports may arrive late
-- and in any order.
create table probes (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  system_id uuid not null,
  name text not null,
  version text not null,
  instance uuid not null,
  key_id uuid not null,
  interval_seconds int not null,
  started_at timestamptz(3) not null,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  reported_at timestamptz(3) not null,
  spool_events bigint not null,
  spool_bytes bigint not null,
  spool_oldest_at timestamptz(3),
  set_aside bigint not null,
  dropped bigint not null default 0,
  -- Reports that changed nothing, with the newest reason.
  ignored bigint not null default 0,
  ignored_at timestamptz(3),
  ignored_reason text,
  silent_since timestamptz(3),
  primary key (organization_id, id),
  constraint probes_name unique (organization_id, system_id, name),
  foreign key (organization_id, system_id) references systems (organization_id, id)
);
call isolate_tenant('probes');
grant select, insert, update on probes to {{app}};
create policy system on probes for select to {{system}} using (true);
grant select (organization_id, id, last_seen_at, interval_seconds, silent_since) on probes to {{system}};

-- The newest report on a source, by the probe that sent it.
create table probe_targets (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  probe_id uuid not null,
  name text not null,
  state text not null,
  error_code text,
  checked_at timestamptz(3),
  latency_ms int not null,
  every_seconds int not null,
  reported_at timestamptz(3) not null,
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  foreign key (organization_id, probe_id) references probes (organization_id, id)
);
create index probe_targets_of_probe on probe_targets (organization_id, probe_id);
call isolate_tenant('probe_targets');
grant select, insert, update, delete on probe_targets to {{app}};

-- The scan that an assessment became. The id is the probe's own, so it counts only together with the source.
create table probe_assessments (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  assessment_id uuid not null,
  scan_id uuid not null,
  probe_id uuid not null,
  probe_version text not null,
  received_at timestamptz(3) not null default now(),
  primary key (organization_id, source_id, assessment_id),
  foreign key (organization_id, scan_id) references scans (organization_id, id),
  foreign key (organization_id, probe_id) references probes (organization_id, id)
);
create unique index probe_assessments_by_scan on probe_assessments (organization_id, scan_id);
create index probe_assessments_newest on probe_assessments (organization_id, source_id, received_at desc);
call isolate_tenant('probe_assessments');
grant select, insert on probe_assessments to {{app}};

-- What changed in a source between two assessments, without values.
create table source_changes (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  event_id uuid not null,
  place int not null,
  occurred_at timestamptz(3) not null,
  area text not null,
  name text not null,
  change text not null,
  primary key (organization_id, source_id, event_id, place),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
create index source_changes_newest on source_changes (organization_id, source_id, occurred_at desc);
call isolate_tenant('source_changes');
grant select, insert, delete on source_changes to {{app}};

-- Databases and sites that a probe saw, and that are no sources.
create table inventory (
  organization_id uuid not null references organizations (id),
  system_id uuid not null,
  kind text not null,
  host text not null,
  via text not null,
  probe_id uuid not null,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  dismissed_at timestamptz(3),
  source_id uuid,
  primary key (organization_id, system_id, kind, host),
  foreign key (organization_id, system_id) references systems (organization_id, id),
  foreign key (organization_id, probe_id) references probes (organization_id, id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('inventory');
grant select, insert, update on inventory to {{app}};

-- How many times a worker has tried is counted in `attempts`: an event that always fails must not keep the others waiting.
create index event_inbox_of_system on event_inbox (organization_id, system_id, sequence);
