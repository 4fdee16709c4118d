-- `admit_requests` decides for all organizations at once, so it must not wait for a row that a transaction of one of them
-- has locked: one that revokes a key, and waits for its audit log meanwhile, would keep everybody's requests waiting. It
-- notes when a key was used only where the key's row is free; the next request notes it again. Nothing else that it
-- writes is written by anybody else. It is otherwise as before; whoever could execute it still can.
create or replace function admit_requests(
  key_ids uuid[], organization_ids uuid[], nonces text[], key_limit int, organization_limit int
) returns bigint[] language plpgsql volatile
-- A plan must not depend on how full the tables were when it was made: one made for an empty table scans it for ever.
-- Each request is looked up by index, and nothing is joined to anything that grows with the square of the batch.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_mergejoin = off
set enable_hashjoin = off
-- Replacing a function drops the settings that it had.
set search_path = pg_catalog, public, pg_temp
-- Whatever it may still wait for, such as the decisions of a node that hangs, is given up with its batch.
set lock_timeout = '5s'
as $$
declare
  moment timestamptz;
  minute timestamptz;
  window_start timestamptz;
  current_slot smallint;
  previous_slot smallint;
  answers bigint[];
begin
  perform pg_advisory_xact_lock(1346982465, lock)
    from (select distinct hashtext(id::text) as lock from unnest(organization_ids) as id order by 1) as locks;
  moment := clock_timestamp();
  minute := date_trunc('minute', moment);
  window_start := moment - interval '60 seconds';
  current_slot := floor(extract(epoch from moment) / 900)::bigint % 3;
  previous_slot := (current_slot + 2) % 3;

  with request as (
    select r.*, row_number() over (partition by r.key_id, r.nonce order by r.position) as turn
    from unnest(key_ids, organization_ids, nonces) with ordinality as r (key_id, organization_id, nonce, position)
  ), known as materialized (
    select r.*, k.last_used_at,
      r.turn = 1 and k.id is not null and k.revoked_at is null and k.expires_at > moment and not exists (
        select from request_nonces n
        where n.organization_id = r.organization_id and n.key_id = r.key_id and n.nonce = r.nonce
          and n.slot in (current_slot, previous_slot)) as fresh,
      -- Places that were never taken, and those whose minute is over.
      coalesce(key_limit - cardinality(of_key.admitted_at) + width_bucket(window_start, of_key.admitted_at), key_limit)
        as key_room,
      coalesce(organization_limit - cardinality(of_all.admitted_at) + width_bucket(window_start, of_all.admitted_at),
        organization_limit) as organization_room,
      coalesce(v.version, 0) as version
    from request r
    -- Outer joins only: every request has its answer, in its place, also one whose key is no longer there.
    left join api_keys k on k.organization_id = r.organization_id and k.id = r.key_id
    left join request_admissions of_key on of_key.organization_id = r.organization_id and of_key.subject = r.key_id
    left join request_admissions of_all
      on of_all.organization_id = r.organization_id and of_all.subject = r.organization_id
    left join data_versions v on v.organization_id = r.organization_id
  ), within_key as (
    select *, fresh and count(*) filter (where fresh) over (partition by key_id order by position) <= key_room
      as key_admits
    from known
  ), decided as (
    select *, key_admits and
      count(*) filter (where key_admits) over (partition by organization_id order by position) <= organization_room
      as admitted
    from within_key
  ), spent as (
    insert into request_nonces (organization_id, key_id, nonce, slot)
    select organization_id, key_id, nonce, current_slot from decided where fresh
  ), counted as (
    insert into request_admissions as kept (organization_id, subject, admitted_at)
    select organization_id, subject, array_fill(moment, array[count(*)::int])
    from decided, unnest(array[key_id, organization_id]) as subject
    where admitted group by organization_id, subject
    on conflict (organization_id, subject) do update set admitted_at =
      (kept.admitted_at || excluded.admitted_at)[greatest(1, cardinality(kept.admitted_at)
        + cardinality(excluded.admitted_at) + 1
        - case when kept.subject = kept.organization_id then organization_limit else key_limit end):]
  ), due as (
    select k.organization_id, k.id
    from (select distinct organization_id, key_id from decided
      where fresh and (last_used_at is null or last_used_at < minute)) as f
    join api_keys k on k.organization_id = f.organization_id and k.id = f.key_id
    for no key update of k skip locked
  ), used as (
    update api_keys k set last_used_at = minute from due
    where k.organization_id = due.organization_id and k.id = due.id
  )
  select array_agg(case when admitted then version end order by position) into answers from decided;
  return answers;
end $$;
