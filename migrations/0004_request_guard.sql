-- Nonces spent. A nonce must be refused for as long as its timestamp could be accepted: at most 600 seconds after it was
-- spent. Time is cut into periods of 900 seconds, and the three slots take turns: while one fills, the one before it is
-- still looked at, and the third can be emptied by truncation.
create table request_nonces (
  organization_id uuid not null,
  key_id uuid not null,
  nonce text not null,
  slot smallint not null,
  primary key (organization_id, key_id, nonce, slot)
) partition by list (slot);
create table request_nonces_0 partition of request_nonces for values in (0);
create table request_nonces_1 partition of request_nonces for values in (1);
create table request_nonces_2 partition of request_nonces for values in (2);
call isolate_tenant('request_nonces');
call isolate_tenant('request_nonces_0');
call isolate_tenant('request_nonces_1');
call isolate_tenant('request_nonces_2');
create policy system on request_nonces to {{system}} using (true);
create policy system on request_nonces_0 to {{system}} using (true);
create policy system on request_nonces_1 to {{system}} using (true);
create policy system on request_nonces_2 to {{system}} using (true);
grant select, insert on request_nonces to {{system}};
grant truncate, select on request_nonces_0, request_nonces_1, request_nonces_2 to {{system}};

-- When the last requests of a key, and of an organization, were admitted: as many as its limit, oldest first. That is
-- all one needs to know of a sliding window, however many requests there are. `subject` is the key or the organization.
create table request_admissions (
  organization_id uuid not null,
  subject uuid not null,
  admitted_at timestamptz[] not null,
  primary key (organization_id, subject)
) with (fillfactor = 50, toast_tuple_target = 8160);
-- 300 times are 2.4 kB: kept in the row, where an update finds them.
alter table request_admissions alter column admitted_at set storage main;
call isolate_tenant('request_admissions');
create policy system on request_admissions to {{system}} using (true);
grant select, insert, update on request_admissions to {{system}};

-- Counts the transactions that may have changed what an organization can read. The guard brings it along, so that a poll
-- whose answer has not changed can be answered from memory.
create table data_versions (
  organization_id uuid primary key references organizations (id),
  version bigint not null
);
call isolate_tenant('data_versions');
create policy system on data_versions for select to {{system}} using (true);
grant select, insert, update on data_versions to {{app}};
grant select on data_versions to {{system}};

-- The last statement of every writing transaction: whoever reads the new version sees what the transaction wrote.
create function advance_data_version() returns void language sql as $$
  insert into data_versions (version) values (1)
  on conflict (organization_id) do update set version = data_versions.version + 1
$$;
grant execute on function advance_data_version to {{app}};

-- Decides, for requests whose signature is valid, which are admitted: the key is active, the nonce unspent, and in the
-- 60 seconds that end now fewer than key_limit requests of the key and organization_limit of the organization were
-- admitted. All nonces are spent, those of refused requests too. The answers come in the order of the requests: the data
-- version of the organization, or null where the request is refused.
--
-- Exact on any number of nodes: the locks, taken in one order, make an organization's decisions one after another, and
-- the moment is read after them from the one clock that all nodes share.
create function admit_requests(
  key_ids uuid[], organization_ids uuid[], nonces text[], key_limit int, organization_limit int
) returns bigint[] language plpgsql volatile
-- A plan must not depend on how full the tables were when it was made: one made for an empty table scans it for ever.
-- Each request is looked up by index, and nothing is joined to anything that grows with the square of the batch.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_mergejoin = off
set enable_hashjoin = off
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
  ), used as (
    update api_keys k set last_used_at = minute
    from (select distinct organization_id, key_id from decided
      where fresh and (last_used_at is null or last_used_at < minute)) as f
    where k.organization_id = f.organization_id and k.id = f.key_id
  )
  select array_agg(case when admitted then version end order by position) into answers from decided;
  return answers;
end $$;
grant execute on function admit_requests to {{system}};
