-- Optional, after parapet-reader.sql: lets Parapet see of what kind the stored passwords are. It asks the server to
-- compare and takes no verifier away, but the role itself could then read the verifiers. Leave it out if that is too
-- much: MD5 passwords are then not assessed.
grant select (rolname, rolcanlogin, rolpassword) on pg_authid to parapet_reader;
