#!/bin/sh
# A base backup of the primary; on a standby it does nothing. Cron runs it every night on each machine of the database, as postgres.
# On Sundays all of it, on other days what has changed since.
set -eu
stanza=${STANZA:-isotherm}
recovering=$(psql --no-psqlrc -qAt -d postgres -c 'select pg_is_in_recovery()')
if [ "$recovering" = t ]; then
  echo 'this is a standby: the backup is made where the primary is'
  exit 0
fi
type=incr
if [ "$(date +%u)" = 7 ]; then type=full; fi
pgbackrest --stanza="$stanza" --type="${BACKUP_TYPE:-$type}" backup
# Complains where the log does not arrive.
pgbackrest --stanza="$stanza" check
