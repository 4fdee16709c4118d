-- The role that Parapet logs in with. Run it as a superuser in each database that is to be scanned: what is granted on
-- functions and catalogs holds in one database only. Put a long random password in place of the one here.

do $$
begin
  if not exists (select from pg_roles where rolname = 'parapet_reader') then
    create role parapet_reader login password 'replace-this-password' connection limit 3;
    execute format('alter role parapet_reader valid until %L', now() + interval '1 year');
  end if;
end
$$;

-- Hidden settings (shared_preload_libraries, ssl_min_protocol_version), and who is connected without encryption.
grant pg_read_all_settings, pg_read_all_stats to parapet_reader;

-- The rules of pg_hba.conf, and when that file was changed. Managed services do not let you grant it: leave it out there.
grant execute on function pg_hba_file_rules(), pg_stat_file(text, boolean) to parapet_reader;
