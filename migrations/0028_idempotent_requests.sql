-- Requests of people that carry an idempotency key. The key is claimed in the transaction of the request, so that the request is done
-- once; the answer follows, encrypted under the key, of which only a hash is kept: it may hold the secrets of a new API key.
create table idempotent_requests (
  organization_id uuid not null references organizations (id),
  person_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  status smallint,
  answer bytea,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, person_id, key_hash)
);
call isolate_tenant('idempotent_requests');
create policy system on idempotent_requests to {{system}} using (true);
grant select, insert (person_id, key_hash, request_hash), update (status, answer) on idempotent_requests to {{app}};
-- Changes of people and their roles are made by {{system}}.
grant select (person_id, created_at), insert (person_id, key_hash, request_hash), delete on idempotent_requests to {{system}};
