-- Whether a person, a key or the operator requested the scan. Those that Watch, probes and Shield start, up to 20,000 in an hour, leave no
-- entries of their own in the audit log, which is kept forever.
alter table scans add column is_requested boolean not null default true;
