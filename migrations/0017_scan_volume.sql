-- How much a scan is: the sources that were authorized when it was requested. What was requested before counts as one.
alter table scans add column sources int not null default 1;
