-- Nonces spent, and which of them were admitted. A nonce must be refused for as long as its timestamp could be
-- accepted: at most 600 seconds after it was spent. Time is cut into periods of 900 seconds, and the three slots take
-- turns: while one fills, the one before it is still looked at, and the third can be emptied by truncation.
create table request_nonces (
  organization_id uuid not null,
  key_id uuid not null,
  nonce text not null,
  slot smallint not null,
  spent_at timestamptz not null,
  admitted boolean not null,
  primary key (organization_id, key_id, nonce, slot)
) partition by list (slot);
create table request_nonces_0 partition of request_nonces for values in (0);
create table request_nonces_1 partition of request_nonces for values in (1);
create table request_nonces_2 partition of request_nonces for values in (2);
create index request_nonces_admitted on request_nonces (organization_id, spent_at, key_id) where admitted;
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
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_mergejoin = off
as $$
declare
  moment timestamptz;
  current_slot smallint;
  previous_slot smallint;
  answers bigint[];
begin
  perform pg_advisory_xact_lock(1346982465, lock)
    from (select distinct hashtext(id::text) as lock from unnest(organization_ids) as id order by 1) as locks;
  moment := clock_timestamp();
  current_slot := floor(extract(epoch from moment) / 900)::bigint % 3;
  previous_slot := (current_slot + 2) % 3;

  with request as (
    select r.position, r.key_id, r.organization_id, r.nonce,
      row_number() over (partition by r.key_id, r.nonce order by r.position) as turn
    from unnest(key_ids, organization_ids, nonces) with ordinality as r (key_id, organization_id, nonce, position)
  ), fresh as (
    select request.* from request
    join api_keys k on k.organization_id = request.organization_id and k.id = request.key_id
      and k.revoked_at is null and k.expires_at > moment
    where request.turn = 1 and not exists (
      select from request_nonces n
      where n.organization_id = request.organization_id and n.key_id = request.key_id and n.nonce = request.nonce
        and n.slot in (current_slot, previous_slot))
  ), recent as (
    select n.organization_id, n.key_id, count(*) as admitted
    from (select distinct organization_id from fresh) as o
    join request_nonces n on n.organization_id = o.organization_id and n.admitted
      and n.spent_at > moment - interval '60 seconds' and n.slot in (current_slot, previous_slot)
    group by n.organization_id, n.key_id
  ), within_key as (
    select f.*, row_number() over (partition by f.key_id order by f.position) + coalesce(r.admitted, 0) <= key_limit
      as key_admits
    from fresh f left join recent r on r.organization_id = f.organization_id and r.key_id = f.key_id
  ), decided as (
    select w.*, w.key_admits and
      count(*) filter (where w.key_admits) over (partition by w.organization_id order by w.position)
        + coalesce(o.admitted, 0) <= organization_limit as admitted
    from within_key w
    left join (select organization_id, sum(admitted) as admitted from recent group by organization_id) as o
      on o.organization_id = w.organization_id
  ), spent as (
    insert into request_nonces (organization_id, key_id, nonce, slot, spent_at, admitted)
    select organization_id, key_id, nonce, current_slot, moment, admitted from decided
  ), used as (
    update api_keys k set last_used_at = date_trunc('minute', moment)
    from (select distinct organization_id, key_id from fresh) as f
    where k.organization_id = f.organization_id and k.id = f.key_id
      and (k.last_used_at is null or k.last_used_at < date_trunc('minute', moment))
  )
  select array_agg(case when d.admitted then coalesce(v.version, 0) end order by r.position) into answers
  from request r
  left join decided d on d.position = r.position
  left join data_versions v on v.organization_id = r.organization_id;
  return answers;
end $$;
grant execute on function admit_requests to {{system}};
