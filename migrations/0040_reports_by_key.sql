-- What one key sends neither removes nor blocks what another has sent: changes are kept, and assessments counted, by key.
-- Null for those of versions before.
alter table source_changes add column key_id uuid;
create index source_changes_of_key on source_changes (organization_id, source_id, key_id, occurred_at, event_id, place);
alter table probe_assessments add column key_id uuid;

-- A source that its probe no longer names is kept, so that somebody notices if no other probe reports on it.
alter table probe_targets add column dropped_at timestamptz(3), add column silent boolean not null default false;

-- The reports of a revoked key end.
grant select (key_id) on probes to {{system}};

-- A firewall that its forwarder no longer has.
grant delete on shield_firewalls to {{app}};

-- Probes that people removed from the list. One that reports again is listed again.
alter table probes add column removed_at timestamptz(3);
