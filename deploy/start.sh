#!/bin/sh
# Runs a command of the server (start, migrate, provider ...) with what is installed: it fetches and builds nothing, so the
# folder may be read-only. Where NAME_FILE names a file, NAME is what it holds: passwords stand in no list of variables.
set -eu
cd "$(dirname "$0")/.."
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)_FILE=.*/\1/p'); do
  eval "file=\$${name}_FILE"
  value=$(cat "$file")
  export "$name=$value"
  unset "${name}_FILE"
done
export NODE_ENV="${NODE_ENV:-production}"
node=node_modules/.bin/node
flags=$("$node" --input-type=module -e "import { heapFlags } from './scripts/run/heap-flags.mjs'; console.log(...heapFlags())")
# shellcheck disable=SC2046
export $("$node" --input-type=module -e "import { memoryVariables } from './scripts/run/heap-flags.mjs'; for (const pair of Object.entries(memoryVariables())) console.log(pair.join('='))")
# In the place of this shell, so that signals reach the server. The flags are words without spaces.
# shellcheck disable=SC2086
exec "$node" $flags server/src/main.ts "${@:-start}"
