#!/bin/sh
# Patroni runs this once, on the first primary, with its address: makes the login of the nodes and their database.
set -eu
: "${ISOTHERM_PASSWORD:?is the password of the login isotherm}"
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$ISOTHERM_PASSWORD" "$1" <<'SQL'
-- From PostgreSQL 16 on NOINHERIT is not needed, and does no harm.
create role isotherm login createrole noinherit password :'password';
-- It looks whether a standby follows.
grant pg_monitor to isotherm;
create database isotherm owner isotherm;
SQL
