// Keeps each table to the room that writes it (scripts/tables/owners.mjs). The demo fills all of them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTables, withoutOwner } from './tables/check.mjs'
import { OWNERS } from './tables/owners.mjs'

const root = fileURLToPath(new URL('../server/src', import.meta.url))
const files = new Map()
for (const name of readdirSync(root, { recursive: true })) {
  const path = name.split(sep).join('/')
  if (/(?<!\.test)\.ts$/.test(path) && !path.startsWith('demo/'))
    files.set(path, readFileSync(join(root, name), 'utf8'))
}
const faults = [
  ...checkTables(files, OWNERS),
  ...withoutOwner(files.get('platform/db/schema.ts') ?? '', OWNERS).map(
    (table) => `${table} has no owner in scripts/tables/owners.mjs`,
  ),
]
console.log(faults.length ? faults.join('\n') : `${Object.keys(OWNERS).length} tables are written by their owners`)
process.exitCode = faults.length ? 1 : 0
