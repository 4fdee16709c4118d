create table events (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  channel text not null,
  system_id uuid not null,
  key_id uuid not null,
  kind text not null,
  occurred_at timestamptz not null,
  received_at timestamptz(3) not null default now(),
  payload jsonb not null,
  primary key (organization_id, id),
  foreign key (organization_id, system_id) references systems (organization_id, id)
);
create index events_newest on events (organization_id, received_at desc, id desc);
call isolate_tenant('events');
grant select, insert on events to {{app}};
