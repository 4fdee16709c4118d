-- The most database connections that a node uses; null for those behind a pooler, and of releases that do not say.
alter table nodes add column connections integer check (connections > 0);
