-- Whether the records of a log are understood is judged by those since these counts: all records of its position say little about now.
alter table shield_firewalls
  add column judged_records bigint not null default 0,
  add column judged_malformed bigint not null default 0;
