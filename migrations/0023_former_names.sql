-- What the records of an organization call a person who has left it: the name of the account as it was then. People rename their
-- accounts, which the organization's audit log records while they belong to it, and not after. Null for people who belong to it.
lock table people, memberships in access exclusive mode;
alter table memberships add column former_name text;
alter table people no force row level security;
alter table memberships no force row level security;
update memberships m set former_name = p.name from people p where p.id = m.person_id and m.left_at is not null;
alter table memberships force row level security;
alter table people force row level security;

-- In the database, so that nodes of before this migration keep it too.
create function keep_former_name() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.left_at is null then
    new.former_name := null;
  elsif old.left_at is null then
    new.former_name := (select p.name from public.people p where p.id = new.person_id);
  end if;
  return new;
end $$;
create trigger keep_former_name before update of left_at on memberships
  for each row execute function keep_former_name();
