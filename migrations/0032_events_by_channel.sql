-- Who sends events numbers them for one system and channel: the same id elsewhere is another event.
alter table events drop constraint events_pkey, add primary key (organization_id, system_id, channel, id);
-- Holds all that events are counted by, in the one order in which they are listed.
drop index events_occurred;
create index events_occurred on events
  (organization_id, occurred_at desc, id desc, channel desc, system_id desc) include (kind);
