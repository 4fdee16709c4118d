-- Releases that have prepared this database: its tables, its roles and their rights. A node whose own role may not change them
-- starts if its release is one of these.

create table releases (version text primary key, prepared_at timestamptz not null default now());
