-- Whether the newest report about the presence of a source says that its probe is silent, or no longer names it. What differs from it is
-- reported for each source on its own: also for one that is authorized later.
alter table probe_targets no force row level security;
alter table probes no force row level security;
update probe_targets t set silent = true from probes p
  where (p.organization_id, p.id) = (t.organization_id, t.probe_id) and p.silent_since is not null and t.dropped_at is null;
alter table probe_targets force row level security;
alter table probes force row level security;
create policy system on probe_targets for select to {{system}} using (true);
grant select (organization_id, source_id, probe_id, dropped_at, silent) on probe_targets to {{system}};
create policy system_presence on sources for select to {{system}} using (true);
grant select (organization_id, id, scan_authorized_at) on sources to {{system}};
-- A probe ends with the last of its keys.
create policy system on probe_keys for select to {{system}} using (true);
grant select (organization_id, probe_id, key_id) on probe_keys to {{system}};
