-- The nodes that run, for operators. Unlogged: each writes its row every few seconds, and after a crash again.
create unlogged table nodes (
  -- New at each start.
  id uuid primary key,
  host text not null check (length(host) between 1 and 255),
  role text not null check (role in ('all', 'api', 'worker')),
  version text not null check (length(version) between 1 and 100),
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
);
grant select, insert, update, delete on nodes to {{system}};
