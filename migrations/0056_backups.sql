-- When the installation was backed up, for the schedule, and for those who watch it.
create table backups (
  made_at timestamptz primary key,
  finished_at timestamptz not null default now(),
  -- Whether it was the one that the schedule makes each day.
  scheduled boolean not null,
  encrypted boolean not null,
  -- Its name, without the folder; null for standard output.
  file text check (length(file) between 1 and 255),
  bytes bigint not null check (bytes > 0),
  row_count bigint not null check (row_count >= 0)
);
grant select on backups to {{system}};
grant select (made_at) on backups to {{app}};
