// Holds docs/walls.md and docs/commerce-cases.md against the tests that they name (scripts/walls).
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from './run/paths.mjs'
import { calls, checkCases } from './walls/cases.mjs'
import { checkWalls, codes } from './walls/check.mjs'

const read = (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : null)
const faults = [...checkWalls(read('docs/walls.md'), read), ...checkCases(read('docs/commerce-cases.md'), read)]
const good = `${codes.length} walls and the cases of ${calls.length} calls name tests that there are`
console.log(faults.length ? faults.join('\n') : good)
process.exitCode = faults.length ? 1 : 0
