-- A finding refers to its source and the source's system together: one reference to check for each new finding instead of two, and its system
-- cannot be another one than its source's. The index that this needs grows with sources only. Until this commits, both tables and systems are locked.
alter table sources add constraint sources_with_system unique (organization_id, id, system_id);
alter table sources no force row level security;
alter table findings no force row level security;
-- No version of the service stores such findings, but nothing prevented them.
update findings f set system_id = s.system_id from sources s
  where s.organization_id = f.organization_id and s.id = f.source_id and s.system_id <> f.system_id;
alter table findings
  drop constraint findings_organization_id_system_id_fkey,
  drop constraint findings_organization_id_source_id_fkey,
  add constraint findings_source foreign key (organization_id, source_id, system_id) references sources (organization_id, id, system_id);
alter table sources force row level security;
alter table findings force row level security;
