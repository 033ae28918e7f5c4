#!/bin/sh
# A member of the pair: FOLLOWS is empty on the first primary, else the name of the member whose copy it is.
# Run as root it goes on as postgres.
set -eu
export PGDATA="${PGDATA:-/var/lib/postgresql/data}/cluster"
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 0700 "$PGDATA"
  PGDATA="${PGDATA%/cluster}" exec setpriv --reuid=postgres --regid=postgres --init-groups "$0"
fi
port="${PGPORT:-5432}"
password=$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database-password}")
if [ ! -s "$PGDATA/PG_VERSION" ] && [ -n "$FOLLOWS" ]; then
  export PGPASSWORD="$password"
  until pg_basebackup -D "$PGDATA" -R -X stream -c fast -d "host=$FOLLOWS port=${FOLLOWS_PORT:-5432} user=replicator application_name=$NAME"; do sleep 2; done
elif [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Whole or not at all: it counts when it has its name.
  whole="$PGDATA"
  PGDATA="$PGDATA.new"
  rm -rf "$PGDATA"
  initdb --username=postgres --encoding=UTF8 --locale=C --data-checksums --auth-local=trust --auth-host=scram-sha-256
  cat >> "$PGDATA/pg_hba.conf" <<END
host replication replicator all scram-sha-256
host isotherm isotherm all scram-sha-256
END
  pg_ctl start --wait --silent -o "-c listen_addresses='' -c port=$port -c unix_socket_directories=/tmp"
  psql --host=/tmp --port="$port" --username=postgres --quiet --set=ON_ERROR_STOP=1 --set=password="$password" <<'SQL'
create role replicator login replication password :'password';
create role isotherm login createrole noinherit password :'password';
grant pg_monitor to isotherm;
create database isotherm owner isotherm;
SQL
  pg_ctl stop --wait --silent --mode=fast
  rmdir "$whole" 2>/dev/null || true
  mv "$PGDATA" "$whole"
  PGDATA="$whole"
fi
exec postgres -c listen_addresses="${LISTEN:-*}" -c port="$port" -c max_connections=200 -c max_wal_senders=10 -c wal_keep_size=2GB \
  -c wal_log_hints=on -c synchronous_commit=on -c synchronous_standby_names="${SYNCHRONOUS-ANY 1 (db_1, db_2)}" \
  -c unix_socket_directories="${SOCKETS:-/var/run/postgresql}"
