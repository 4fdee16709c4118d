-- The severity of a finding when it was decided about: a decision does not apply to what has become worse. Null for decisions of nodes
-- that do not store it yet; those apply.
-- Locked in the order in which decisions are made.
lock table findings, finding_decisions in access exclusive mode;
alter table finding_decisions add column severity_rank smallint;
alter table finding_decisions no force row level security;
alter table findings no force row level security;
update finding_decisions d set severity_rank = f.severity_rank from findings f
  where f.organization_id = d.organization_id and f.id = d.finding_id;
alter table findings force row level security;
alter table finding_decisions force row level security;
