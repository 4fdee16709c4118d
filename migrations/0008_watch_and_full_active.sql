-- Recurring safe scans of a source, turned on by a person.
create table watches (
  organization_id uuid not null,
  source_id uuid not null,
  every_hours int not null check (every_hours in (1, 6, 12, 24, 168)),
  next_scan_at timestamptz(3) not null,
  last_scan_id uuid,
  turned_on_by uuid not null,
  turned_on_at timestamptz(3) not null default now(),
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  foreign key (organization_id, last_scan_id) references scans (organization_id, id)
);
create index watches_next on watches (organization_id, next_scan_at);
call isolate_tenant('watches');
create policy system on watches for select to {{system}} using (true);
grant select, insert, update, delete on watches to {{app}};
grant select (organization_id, source_id, next_scan_at) on watches to {{system}};

-- That whoever asked for a full_active scan controls the source's domain. The token is published, so it is no secret.
create table domain_proofs (
  organization_id uuid not null,
  source_id uuid not null,
  token text not null,
  proven_by text check (proven_by in ('dns_txt', 'well_known_file')),
  proven_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  check ((proven_by is null) = (proven_at is null))
);
call isolate_tenant('domain_proofs');
grant select, insert, update, delete on domain_proofs to {{app}};
