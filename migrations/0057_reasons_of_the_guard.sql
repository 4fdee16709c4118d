-- Decides like `admit_requests`, and says why a request is refused: the version of what it lists, or 0 for others, if it is admitted,
-- otherwise one of -1 (no such key), -2 (revoked), -3 (expired), -4 (nonce used before), -5 (limit of the key) and -6 (limit of the
-- organization). `admit_requests` stays for nodes of the release before, which take any number as an admission.
create function decide_requests(
  key_ids uuid[], organization_ids uuid[], nonces text[], listed text[], key_limit int, organization_limit int
) returns bigint[] language plpgsql volatile
-- A plan must not depend on how full the tables were when it was made: one made for an empty table scans it for ever.
-- Each request is looked up by index, and nothing is joined to anything that grows with the square of the batch.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_mergejoin = off
set enable_hashjoin = off
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
    from unnest(key_ids, organization_ids, nonces, listed) with ordinality
      as r (key_id, organization_id, nonce, lists, position)
  ), known as materialized (
    select r.*, k.last_used_at,
      case when k.id is null then -1 when k.revoked_at is not null then -2 when k.expires_at <= moment then -3
        when r.turn > 1 or (
          -- Not `exists`, for which a plan made for few nonces reads all of them into a hash table.
          select true from request_nonces n
          where n.organization_id = r.organization_id and n.key_id = r.key_id and n.nonce = r.nonce
            and n.slot in (current_slot, previous_slot) limit 1) then -4 end as unfit,
      -- Places that were never taken, and those whose minute is over.
      coalesce(key_limit - cardinality(of_key.admitted_at) + width_bucket(window_start, of_key.admitted_at), key_limit)
        as key_room,
      coalesce(organization_limit - cardinality(of_all.admitted_at) + width_bucket(window_start, of_all.admitted_at),
        organization_limit) as organization_room,
      coalesce(v.version, 0) as version, of_key.ctid as key_place, of_all.ctid as organization_place
    from request r
    -- Outer joins only: every request has its answer, in its place, also one whose key is no longer there.
    left join api_keys k on k.organization_id = r.organization_id and k.id = r.key_id
    left join request_admissions of_key on of_key.organization_id = r.organization_id and of_key.subject = r.key_id
    left join request_admissions of_all
      on of_all.organization_id = r.organization_id and of_all.subject = r.organization_id
    left join lateral (select sum(d.version)::bigint as version from data_versions d
      where d.organization_id = r.organization_id and d.subject = r.lists) as v on true
  ), within_key as (
    select *, unfit is null as fresh,
      unfit is null and count(*) filter (where unfit is null) over (partition by key_id order by position) <= key_room
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
    select organization_id, subject, place, most, count(*)::int as count
    from decided cross join lateral (values
      (key_id, key_place, key_limit), (organization_id, organization_place, organization_limit)
    ) as limited (subject, place, most)
    where admitted group by 1, 2, 3, 4
  ), started as (
    insert into request_admissions (organization_id, subject, admitted_at)
    select organization_id, subject, array_fill(moment, array[count]) from counted where place is null
  ), continued as (
    update request_admissions kept set admitted_at =
      (kept.admitted_at || array_fill(moment, array[count]))[greatest(1, cardinality(kept.admitted_at) + count + 1 - most):]
    from counted where kept.ctid = counted.place
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
  select array_agg(case when admitted then version when key_admits then -6 when fresh then -5 else unfit end order by position)
    into answers from decided;
  return answers;
end $$;
grant execute on function decide_requests to {{system}};

create or replace function admit_requests(
  key_ids uuid[], organization_ids uuid[], nonces text[], listed text[], key_limit int, organization_limit int
) returns bigint[] language sql volatile set search_path = pg_catalog, public, pg_temp
as $$
  select array(select case when answer >= 0 then answer end
    from unnest(public.decide_requests(key_ids, organization_ids, nonces, listed, key_limit, organization_limit))
      with ordinality as decided (answer, position)
    order by position)
$$;
