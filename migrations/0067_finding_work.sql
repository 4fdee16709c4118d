-- oldest: 0055
-- Findings get done: each has an owner and a due date, people comment on it, and the changes of both are kept.

-- Days until findings of a severity are due, counted from the start of their episode; null: never. Due dates follow from these when they
-- are read, so that a change applies to all findings at once.
alter table organizations
  add column due_days_critical smallint default 7 check (due_days_critical between 1 and 730),
  add column due_days_high smallint default 30 check (due_days_high between 1 and 730),
  add column due_days_medium smallint default 90 check (due_days_medium between 1 and 730),
  add column due_days_low smallint default 180 check (due_days_low between 1 and 730);
grant update (due_days_critical, due_days_high, due_days_medium, due_days_low) on organizations to {{app}};

alter table findings
  -- Start of the current or last episode, if it is not the first one, which starts with the finding.
  add column reopened_at timestamptz(3),
  add column opened_at timestamptz(3) not null generated always as (coalesce(reopened_at, created_at)) stored,
  add column owner_id uuid,
  -- Set by a person; null: by the policy.
  add column due_on date,
  add constraint findings_owner foreign key (organization_id, owner_id) references memberships (organization_id, person_id);

-- In the database, so that nodes of before this migration keep it too.
create function keep_reopened_at() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.reopened_at := now();
  -- It was for the episode that has ended.
  new.due_on := null;
  return new;
end $$;
create trigger keep_reopened_at before update of observed on findings for each row
  when (new.observed and not old.observed) execute function keep_reopened_at();

-- The locks that writers take first. Until this commits, they wait.
lock table findings, finding_episodes in share row exclusive mode;
alter table findings disable trigger user;
alter table findings no force row level security;
alter table finding_episodes no force row level security;
update findings f set reopened_at = e.opened_at from (
    select distinct on (organization_id, finding_id) organization_id, finding_id, opened_at from finding_episodes
    where number > 1 order by organization_id, finding_id, number desc) as e
  where f.organization_id = e.organization_id and f.id = e.finding_id;
alter table findings force row level security;
alter table finding_episodes force row level security;
alter table findings enable trigger user;

-- Open findings by the time from which the policy counts, so that those of each severity are in the order in which they are due. Both
-- indexes have what lists are filtered, sorted and counted by, so that no row has to be read for it.
create index findings_due_by_policy on findings (organization_id, severity_rank, opened_at, id)
  include (status, category, system_id, source_id, hipaa, owner_id, created_at) where status = 'open' and due_on is null;
create index findings_due_on on findings (organization_id, due_on, id)
  include (severity_rank, status, category, system_id, source_id, hipaa, owner_id, created_at) where status = 'open' and due_on is not null;
create index findings_of_owner on findings (organization_id, owner_id, severity_rank desc, created_at desc, id desc)
  where owner_id is not null;
create index findings_reopened on findings (organization_id, reopened_at desc, id desc) where reopened_at is not null;

-- Owners and due dates that people gave a finding, and owners who left.
create table finding_edits (
  organization_id uuid not null,
  finding_id uuid not null,
  id bigint not null generated always as identity,
  edit text not null check (edit in ('owner', 'due', 'left')),
  -- The new owner, or the one who left.
  owner_id uuid,
  -- Null: by the policy.
  due_on date,
  actor_kind text not null,
  actor_id text not null,
  edited_at timestamptz(3) not null default now(),
  primary key (organization_id, finding_id, id),
  foreign key (organization_id, finding_id) references findings (organization_id, id),
  foreign key (organization_id, owner_id) references memberships (organization_id, person_id),
  check (edit <> 'due' or owner_id is null),
  check (edit = 'due' or due_on is null),
  check (edit <> 'left' or owner_id is not null)
);
create index finding_edits_newest on finding_edits (organization_id, edited_at);
call isolate_tenant('finding_edits');
grant select, insert on finding_edits to {{app}};

create table finding_comments (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  finding_id uuid not null,
  author_id uuid not null,
  -- A person who is mentioned is `<@` and `>` around their id.
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, finding_id) references findings (organization_id, id),
  foreign key (organization_id, author_id) references memberships (organization_id, person_id)
);
create index finding_comments_of_finding on finding_comments (organization_id, finding_id, created_at, id);
create index finding_comments_newest on finding_comments (organization_id, created_at);
call isolate_tenant('finding_comments');
grant select, insert, update, delete on finding_comments to {{app}};

-- Whom comments mention, for those who tell them.
create table finding_mentions (
  organization_id uuid not null,
  comment_id uuid not null,
  person_id uuid not null,
  mentioned_at timestamptz(3) not null default now(),
  primary key (organization_id, comment_id, person_id),
  foreign key (organization_id, comment_id) references finding_comments (organization_id, id) on delete cascade,
  foreign key (organization_id, person_id) references memberships (organization_id, person_id)
);
create index finding_mentions_of_person on finding_mentions (organization_id, person_id, mentioned_at desc);
call isolate_tenant('finding_mentions');
grant select, insert, delete on finding_mentions to {{app}};

-- Nobody who has left owns a finding. In the database, so that nodes of before this migration keep it too, and as the owner, since members
-- are removed by a role that reaches no findings. Those of an organization that is deleted stay as they are, for its export.
create function release_findings() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  bound constant text := current_setting('parapet.organization_id', true);
begin
  perform set_config('parapet.organization_id', new.organization_id::text, true);
  if exists (select from organizations where id = new.organization_id and deleted_at is null) then
    -- Like everything that changes findings, so that two transactions do not wait for each other.
    perform from sources where id in (select source_id from findings where owner_id = new.person_id) order by id for no key update;
    with released as (update findings set owner_id = null where owner_id = new.person_id returning id)
    insert into finding_edits (finding_id, edit, owner_id, actor_kind, actor_id)
      select id, 'left', new.person_id, 'service', 'membership' from released;
  end if;
  perform set_config('parapet.organization_id', coalesce(bound, ''), true);
  return null;
end $$;
revoke execute on function release_findings from public;
create trigger release_findings after update of left_at on memberships for each row
  when (old.left_at is null and new.left_at is not null) execute function release_findings();
