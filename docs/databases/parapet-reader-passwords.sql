-- Optional, after parapet-reader.sql: lets Parapet check how passwords are stored. The server makes the comparison and sends
-- no verifiers, but the role itself can read them. To avoid that, skip this file: MD5 passwords are then not assessed.
grant select (rolname, rolcanlogin, rolpassword) on pg_authid to parapet_reader;
