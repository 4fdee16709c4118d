-- Organizations that were deleted. Workers write them to their log, in which audit heads are compared with the database: notifications are
-- lost where no worker listens, and any role can send them.
create table organization_deletions (
  id uuid primary key,
  deleted_at timestamptz(3) not null default now(),
  -- Null until a worker has logged it.
  logged_at timestamptz(3)
);
create index unlogged_deletions on organization_deletions (id) where logged_at is null;
grant select, update (logged_at) on organization_deletions to {{system}};
