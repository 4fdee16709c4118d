-- Not every control applies to every organization: who is no clearinghouse has none to isolate. A person attests that too, and
-- a control that does not apply is not shown as one that is supported.
alter table control_attestations add column applies boolean not null default true;
grant insert (applies) on control_attestations to {{app}};

-- What was marked as a false positive is counted beside a control's state.
drop index findings_by_check;
create index findings_by_check on findings (organization_id, category, source_id, severity, status, accepted_until)
  where status in ('open', 'accepted', 'false_positive');
