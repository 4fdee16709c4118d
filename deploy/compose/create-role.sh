#!/bin/sh
# The image of PostgreSQL runs this once, as its superuser, which Parapet does not need to be.
set -eu
export PASSWORD_FILE="${PASSWORD_FILE:-/run/secrets/database-password}"
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\set password `cat "$PASSWORD_FILE"`
create role parapet login createrole password :'password';
create database parapet owner parapet;
SQL
