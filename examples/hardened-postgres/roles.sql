-- Run as a superuser in the database postgres. Replace the passwords and expiry dates.
create role clinic_owner login password 'replace-the-owner-password' connection limit 5;
create role clinic_app login password 'replace-the-application-password' connection limit 40;
do $$
declare role_name text;
begin
  foreach role_name in array array['clinic_owner', 'clinic_app'] loop
    execute format('alter role %I valid until %L', role_name, now() + interval '1 year');
  end loop;
end
$$;
alter role clinic_app set statement_timeout = '30s';
alter role clinic_app set idle_in_transaction_session_timeout = '30s';
