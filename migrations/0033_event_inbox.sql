-- Events that change posture, until a worker has processed them. The event itself is in `events`; both are stored in one statement.
create table event_inbox (
  organization_id uuid not null references organizations (id),
  sequence bigint not null generated always as identity,
  channel text not null,
  system_id uuid not null,
  event_id uuid not null,
  attempts smallint not null default 0,
  primary key (organization_id, sequence)
);
call isolate_tenant('event_inbox');
grant select, insert (channel, system_id, event_id), update (attempts), delete on event_inbox to {{app}};
create policy system on event_inbox for select to {{system}} using (true);
grant select (organization_id) on event_inbox to {{system}};
