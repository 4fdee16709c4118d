-- Causes of runs are codes that clients can compare (see the contract); these were sentences.
alter table scan_runs no force row level security;
update scan_runs set cause = case cause
    when 'a probe assesses this source' then 'assessed_by_probe'
    when 'privileged connections are switched off' then 'privileged_connections_disabled'
    when 'the scan was stopped' then 'scan_canceled'
    when 'the source is no longer authorized' then 'source_disconnected'
    when 'given up after several tries' then 'retries_exhausted'
  end
  where cause in ('a probe assesses this source', 'privileged connections are switched off', 'the scan was stopped',
    'the source is no longer authorized', 'given up after several tries');
alter table scan_runs force row level security;
