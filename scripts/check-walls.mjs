// Holds docs/walls.md against the tests that it names (scripts/walls/check.mjs).
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from './run/paths.mjs'
import { checkWalls, codes } from './walls/check.mjs'

const read = (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : null)
const faults = checkWalls(read('docs/walls.md'), read)
console.log(faults.length ? faults.join('\n') : `${codes.length} rows name tests that there are`)
process.exitCode = faults.length ? 1 : 0
