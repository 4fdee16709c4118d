-- How bad a finding was when it was decided about: a decision does not hold for what has become worse.
alter table finding_decisions add column severity_rank smallint;
alter table finding_decisions no force row level security;
alter table findings no force row level security;
update finding_decisions d set severity_rank = f.severity_rank from findings f
  where f.organization_id = d.organization_id and f.id = d.finding_id;
alter table findings force row level security;
alter table finding_decisions force row level security;
alter table finding_decisions alter column severity_rank set not null;
