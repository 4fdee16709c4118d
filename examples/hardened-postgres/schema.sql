-- Run as a superuser in the database clinic, owned by clinic_owner.
-- Needed for clusters upgraded from version 14 or older.
revoke create on schema public from public;

revoke temporary on database clinic from public;

create schema clinic authorization clinic_owner;
set role clinic_owner;
alter default privileges revoke execute on functions from public;

create table clinic.patients (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  name text not null,
  date_of_birth date not null
);
create table clinic.visits (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  patient_id bigint not null references clinic.patients (id),
  diagnosis text
);

-- Every role, including the owner, sees only rows of the organization set in the transaction.
alter table clinic.patients enable row level security, force row level security;
alter table clinic.visits enable row level security, force row level security;
create policy own_organization on clinic.patients
  using (organization_id = current_setting('clinic.organization_id')::bigint);
create policy own_organization on clinic.visits
  using (organization_id = current_setting('clinic.organization_id')::bigint);

create view clinic.visit_list with (security_invoker = true) as
  select v.id, p.name, v.diagnosis
  from clinic.visits v join clinic.patients p on p.id = v.patient_id;

create function clinic.visits_of(patient bigint) returns bigint
  language sql stable security definer
  set search_path = pg_catalog, clinic, pg_temp
  as $$ select count(*) from clinic.visits where patient_id = patient $$;
revoke execute on function clinic.visits_of(bigint) from public;

grant usage on schema clinic to clinic_app;
grant select, insert, update on clinic.patients, clinic.visits to clinic_app;
grant select on clinic.visit_list to clinic_app;
grant execute on function clinic.visits_of(bigint) to clinic_app;
reset role;
