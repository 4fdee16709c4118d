-- A finding refers to its source and the source's system together: one reference to check for each new finding instead of two, which
-- could name another system.
alter table sources add constraint sources_with_system unique (organization_id, id, system_id);
alter table sources no force row level security;
alter table findings no force row level security;
alter table findings
  drop constraint findings_organization_id_system_id_fkey,
  drop constraint findings_organization_id_source_id_fkey,
  add foreign key (organization_id, source_id, system_id) references sources (organization_id, id, system_id);
alter table sources force row level security;
alter table findings force row level security;
