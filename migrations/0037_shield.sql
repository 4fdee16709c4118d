-- Shield is on for a source while it has a row here. `outcome` is what the last assessment concluded, without times and counts: the next
-- one becomes a scan only if it concludes something else.
create table shields (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  turned_on_by uuid not null,
  turned_on_at timestamptz(3) not null default now(),
  assess_at timestamptz(3) not null default now(),
  outcome text,
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
call isolate_tenant('shields');
grant select, insert (source_id, turned_on_by), update (assess_at, outcome), delete on shields to {{app}};
create policy system on shields for select to {{system}} using (true);
grant select (organization_id, source_id, assess_at) on shields to {{system}};

-- A forwarder is known by its name within a system. `last_seen_at` is the service's time, `reported_at` the forwarder's.
create table shield_forwarders (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  system_id uuid not null,
  name text not null,
  version text not null,
  instance uuid not null,
  key_id uuid not null,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null,
  reported_at timestamptz(3) not null,
  -- Events that the forwarder dropped.
  dropped bigint not null default 0,
  -- Requests, alerts and decisions that changed nothing, with the newest reason.
  ignored bigint not null default 0,
  ignored_at timestamptz(3),
  ignored_reason text,
  -- How many decisions of CrowdSec are active, by origin.
  active_decisions jsonb,
  decisions_at timestamptz(3),
  primary key (organization_id, id),
  constraint shield_forwarders_name unique (organization_id, system_id, name),
  foreign key (organization_id, system_id) references systems (organization_id, id)
);
call isolate_tenant('shield_forwarders');
grant select, insert, update on shield_forwarders to {{app}};

-- The newest heartbeat about a firewall, by engine: the log of one, or CrowdSec. Version, mode and rule set are the last ones that were
-- stated: a forwarder that has just started has read no record yet.
create table shield_firewalls (
  organization_id uuid not null references organizations (id),
  forwarder_id uuid not null,
  engine text not null,
  version text,
  mode text not null,
  rule_set text,
  rule_set_version text,
  interval_seconds int not null,
  started_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  reported_at timestamptz(3) not null,
  problem text,
  lag_bytes bigint,
  records bigint,
  malformed bigint,
  too_long bigint,
  last_record_at timestamptz(3),
  primary key (organization_id, forwarder_id, engine),
  foreign key (organization_id, forwarder_id) references shield_forwarders (organization_id, id)
);
call isolate_tenant('shield_firewalls');
grant select, insert, update on shield_firewalls to {{app}};

-- Which firewalls have reported requests for the host of a source, since Shield is on.
create table shield_source_firewalls (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  forwarder_id uuid not null,
  engine text not null,
  last_request_at timestamptz(3) not null,
  primary key (organization_id, source_id, forwarder_id, engine),
  foreign key (organization_id, source_id) references sources (organization_id, id),
  foreign key (organization_id, forwarder_id, engine) references shield_firewalls (organization_id, forwarder_id, engine)
);
call isolate_tenant('shield_source_firewalls');
grant select, insert, update, delete on shield_source_firewalls to {{app}};

-- All requests of a source that matched rules, by the hour in which they occurred.
create table shield_hours (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  hour timestamptz(0) not null,
  attack text not null,
  blocked bigint not null,
  detected bigint not null,
  primary key (organization_id, source_id, hour, attack),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
create index shield_hours_by_time on shield_hours (hour);
call isolate_tenant('shield_hours');
grant select, insert, update on shield_hours to {{app}};
create policy system_select on shield_hours for select to {{system}} using (true);
create policy system_delete on shield_hours for delete to {{system}} using (true);
grant select (hour), delete on shield_hours to {{system}};

-- The same requests by rule, path and network, each by UTC day: the most frequent values, and the rest under an empty value.
create table shield_tops (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  day date not null,
  kind text not null check (kind in ('rule', 'path', 'network')),
  value text not null,
  -- The message of a rule.
  label text,
  blocked bigint not null,
  detected bigint not null,
  primary key (organization_id, source_id, day, kind, value),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
create index shield_tops_by_day on shield_tops (day);
call isolate_tenant('shield_tops');
grant select, insert, update, delete on shield_tops to {{app}};
create policy system_select on shield_tops for select to {{system}} using (true);
create policy system_delete on shield_tops for delete to {{system}} using (true);
grant select (day), delete on shield_tops to {{system}};

-- Blocked requests by rule, path and network together, to recognize rules that block users. What exceeds the bound of a day is under an
-- empty rule: then the day is not assessed.
create table shield_blocks (
  organization_id uuid not null references organizations (id),
  source_id uuid not null,
  day date not null,
  rule text not null,
  path text not null,
  network text not null,
  blocked bigint not null,
  -- Of these, with a session cookie or `Authorization`.
  authenticated bigint not null,
  primary key (organization_id, source_id, day, rule, path, network),
  foreign key (organization_id, source_id) references sources (organization_id, id)
);
create index shield_blocks_by_day on shield_blocks (day);
call isolate_tenant('shield_blocks');
grant select, insert, update on shield_blocks to {{app}};
create policy system_select on shield_blocks for select to {{system}} using (true);
create policy system_delete on shield_blocks for delete to {{system}} using (true);
grant select (day), delete on shield_blocks to {{system}};

-- The newest alerts of CrowdSec, and the newest of its decisions.
create table shield_alerts (
  organization_id uuid not null references organizations (id),
  forwarder_id uuid not null,
  alert bigint not null,
  scenario text not null,
  scope text not null,
  network text,
  events bigint not null,
  created_at timestamptz(3) not null,
  start_at timestamptz(3) not null,
  stop_at timestamptz(3) not null,
  simulated boolean not null,
  primary key (organization_id, forwarder_id, alert, created_at),
  foreign key (organization_id, forwarder_id) references shield_forwarders (organization_id, id)
);
call isolate_tenant('shield_alerts');
grant select, insert, delete on shield_alerts to {{app}};

create table shield_decisions (
  organization_id uuid not null references organizations (id),
  forwarder_id uuid not null,
  decision bigint not null,
  type text not null,
  scope text not null,
  network text,
  decided_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  origin text not null,
  scenario text not null,
  primary key (organization_id, forwarder_id, decision),
  foreign key (organization_id, forwarder_id) references shield_forwarders (organization_id, id)
);
call isolate_tenant('shield_decisions');
grant select, insert, update, delete on shield_decisions to {{app}};

-- Shield sees websites as well, and is no probe.
alter table inventory alter column probe_id drop not null;
