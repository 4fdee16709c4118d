-- How often the process that inspected the source for this run has died. After the second time it is not tried again: a
-- target that kills what reads it must not be handed from one worker to the next.
alter table scan_runs add column process_deaths smallint not null default 0;
