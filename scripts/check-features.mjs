// Keeps each file of a feature to its role (scripts/features/check.mjs). PostgreSQL itself refuses a call that only reads to write.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkFeatures } from './features/check.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = new Map()
for (const room of ['server/src/features', 'server/src/reporting'])
  for (const name of readdirSync(join(root, room), { recursive: true })) {
    const path = join(root, room, name)
    if (path.endsWith('.ts')) files.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))
  }
const faults = checkFeatures(files)
console.log(faults.length ? faults.join('\n') : `${files.size} files of features and reporting keep to their roles`)
process.exitCode = faults.length ? 1 : 0
