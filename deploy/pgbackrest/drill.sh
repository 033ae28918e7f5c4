#!/bin/sh
# Proves a restore: brings the database back to ten minutes ago in a scratch folder, without a network, compares it with the one that runs, takes it away
# again, and adds a line to a record. Exit code 0: it is proven. Cron runs it each month on one machine that has room, as postgres.
#   SCRATCH=/srv/drill drill.sh      TO='2026-11-28 10:15:00+00' restores to another instant
set -eu
umask 077
scratch=${SCRATCH:?names a folder with room for the database}
stanza=${STANZA:-isotherm}
bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
database=${DATABASE:-isotherm}
# The database that runs, as psql takes it; it must show all rows, as to a superuser.
live=${LIVE:-dbname=$database}
record=${RECORD:-/var/lib/postgresql/isotherm-drills.jsonl}
# A command of the program that judges audit trails and signatures, with the database as DATABASE_URL; unset: they are not judged. For instance
#   JUDGE='node /opt/isotherm/server/src/main.ts backup judge --keys /etc/pgbackrest/isotherm-public-keys.json'
judge=${JUDGE:-}
to=${TO:-$(date -u -d '10 minutes ago' '+%Y-%m-%d %H:%M:%S+00')}
data=$scratch/data
faults=0

fault() {
  echo "FAULT: $1" >&2
  faults=$((faults + 1))
}
finish() {
  "$bin/pg_ctl" -D "$data" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$data"
}
of_live() { psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 -d "$live" -c "$1"; }
of_restored() { psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 -d "host=$data port=54329 user=postgres dbname=$database" -c "$1"; }

if [ -e "$data" ]; then
  echo "$data is there already: another drill runs, or one was killed" >&2
  exit 2
fi
trap finish EXIT
trap 'exit 2' INT TERM HUP
mkdir -p "$data"
began=$(date +%s)
pgbackrest --stanza="$stanza" --pg1-path="$data" --archive-mode=off --type=time --target="$to" --target-action=promote restore
echo 'local all postgres trust' >"$scratch/hba.conf"
# Nobody else reaches it, it archives nothing, and no commit of it waits for a standby.
"$bin/pg_ctl" -D "$data" -w -t 86400 -l "$scratch/log" -o "-c listen_addresses='' -c unix_socket_directories='$data' -c port=54329 \
  -c hba_file='$scratch/hba.conf' -c ssl=off -c archive_mode=off -c synchronous_standby_names='' -c primary_conninfo=''" start >/dev/null
while [ "$(of_restored 'select pg_is_in_recovery()')" = t ]; do sleep 1; done
restored=$(date +%s)

# Readings of the week before, by the day on which they arrived. Rows that retention took away meanwhile may be more than those that run.
counts="select received_at::date, count(*) from readings where received_at > timestamptz '$to' - interval '7 days' and received_at <= '$to' group by 1"
of_restored "$counts" >"$scratch/readings"
of_live "$counts" >"$scratch/expected"
while IFS='|' read -r day count; do
  found=$(grep "^$day|" "$scratch/readings" | cut -d'|' -f2)
  if [ "${found:-0}" -lt "$count" ]; then fault "of $count readings that arrived on $day there are ${found:-0}"; fi
done <"$scratch/expected"
readings=$(awk -F'|' '{ sum += $2 } END { print sum + 0 }' "$scratch/readings")

# Entries of the audit trail are never taken away.
entries="select count(*) from audit_log where at <= '$to'"
audited=$(of_restored "$entries")
expected=$(of_live "$entries")
if [ "$audited" -lt "$expected" ]; then fault "of $expected entries of audit trails there are $audited"; fi

migrations=$(of_restored 'select count(*) from schema_migrations')
if [ "$migrations" -eq 0 ]; then fault 'there are no migrations: this is no database of Isotherm'; fi

# Reads every row of every table once: a damaged page is an error. Checksums of pages tell more (initdb --data-checksums).
if ! "$bin/pg_dump" -h "$data" -p 54329 -U postgres -d "$database" -f /dev/null; then fault 'not all of it can be read'; fi

judged=null
if [ -n "$judge" ]; then
  # A file in place of a pipe: the exit code is that of the judge.
  DATABASE_URL="postgres://postgres@localhost/$database?host=$data&port=54329" sh -c "$judge" >"$scratch/judged" || fault 'audit trails and signatures are not as they were'
  judged=$(tail -n 1 "$scratch/judged")
fi

now=$(date +%s)
printf '{"at":"%s","restoredTo":"%s","restoreSeconds":%d,"checkSeconds":%d,"readings":%d,"auditEntries":%d,"migrations":%d,"judged":%s,"faults":%d}\n' \
  "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$to" $((restored - began)) $((now - restored)) "$readings" "$audited" "$migrations" "${judged:-null}" "$faults" | tee -a "$record"
[ "$faults" -eq 0 ]
