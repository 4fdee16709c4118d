-- Creates the role for Parapet's scans, without a password: nobody can sign in as it until you set one. Run this as a superuser
-- in each database to scan: grants on functions and catalogs apply to one database only.

do $$
begin
  if not exists (select from pg_roles where rolname = 'parapet_reader') then
    create role parapet_reader login connection limit 3;
    execute format('alter role parapet_reader valid until %L', now() + interval '1 year');
  end if;
end
$$;

-- Hidden settings (libraries, TLS parameters, places of files) and unencrypted sessions.
grant pg_read_all_settings, pg_read_all_stats to parapet_reader;

-- The rules of pg_hba.conf, when the file changed, and the maps of pg_ident.conf (version 15 or newer). Leave this out on managed
-- services, which do not allow it.
grant execute on function pg_hba_file_rules(), pg_stat_file(text, boolean), pg_ident_file_mappings() to parapet_reader;
