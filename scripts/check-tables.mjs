// Keeps each table to the room that writes it (scripts/tables/owners.mjs). The demo fills all of them.
import { isCode, sourcesIn, tellFaults } from './sources.mjs'
import { checkTables, withoutOwner } from './tables/check.mjs'
import { OWNERS } from './tables/owners.mjs'

const isRoom = (path) => isCode(path) && !/\.test\.ts$|^server\/src\/demo\//.test(path)
const files = new Map(
  [...sourcesIn(['server/src'], isRoom)].map(([path, text]) => [path.slice('server/src/'.length), text]),
)
const faults = [
  ...checkTables(files, OWNERS),
  ...withoutOwner(files.get('platform/db/schema.ts') ?? '', OWNERS).map(
    (table) => `${table} has no owner in scripts/tables/owners.mjs`,
  ),
]
tellFaults(faults, `${Object.keys(OWNERS).length} tables are written by their owners`)
