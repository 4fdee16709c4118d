-- How bad, as a number; when a detector saw it last (`updated_at` also moves when people decide); and what people search.
alter table findings
  add column severity_rank smallint not null generated always as (
    case severity when 'critical' then 4 when 'high' then 3 when 'medium' then 2 when 'low' then 1 else 0 end) stored,
  add column last_seen_at timestamptz(3) not null default now(),
  add column search_text text not null generated always as (
    lower(title || ' ' || category collate "default" || ' ' || left(locator, 300))) stored;
alter table findings no force row level security;
update findings set last_seen_at = updated_at;
alter table findings force row level security;

-- The worst first, as people list them. It holds all that they filter and count by, so that no row has to be read for it:
-- 100,000 findings are counted in some 30 ms. That takes pages which vacuum has seen, so vacuum comes early.
create index findings_worst on findings (organization_id, severity_rank desc, created_at desc, id desc)
  include (status, category, hipaa, system_id, source_id, last_seen_at, search_text);
alter table findings set (autovacuum_vacuum_scale_factor = 0.02);

-- What has changed since a moment, and which findings have come back.
create index finding_episodes_opened on finding_episodes (organization_id, opened_at);
create index finding_episodes_closed on finding_episodes (organization_id, closed_at) where closed_at is not null;
create index finding_episodes_again on finding_episodes (organization_id, finding_id) where number > 1;
create index finding_decisions_newest on finding_decisions (organization_id, decided_at);

-- What a source or a system was scanned for, newest first.
create index scans_of_source on scans (organization_id, source_id, created_at desc, id desc);
create index scans_of_system on scans (organization_id, system_id, created_at desc, id desc);

-- Holds all that events are counted by.
create index events_occurred on events (organization_id, occurred_at desc, id desc) include (channel, kind, system_id);

-- Filters of the findings' list that people keep under a name, for themselves or for everyone in the organization.
create table finding_views (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  person_id uuid not null references people (id),
  name text not null,
  filters jsonb not null,
  shared boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint finding_views_name unique (organization_id, person_id, name)
);
call isolate_tenant('finding_views');
grant select, insert, update, delete on finding_views to {{app}};
