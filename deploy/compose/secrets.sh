#!/bin/sh
# Makes the secrets of the compose file, once.
set -eu
cd "$(dirname "$0")"
mkdir secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf %s "$password" > secrets/database-password
od -An -N32 -tx1 /dev/urandom | tr -d ' \n' > secrets/node-secret
od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > secrets/metrics-token
printf 'postgres://isotherm:%s@db-1:5432,db-2:5432/isotherm' "$password" > secrets/database-url
# Files of compose keep owner and mode in the container, where users have other numbers.
chmod 0711 secrets
chmod 0444 secrets/*
