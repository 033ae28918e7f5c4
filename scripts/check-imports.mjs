// Keeps the imports one-way (scripts/imports/rules.mjs) and without circles, in every workspace, bench and e2e; and handlers
// of calls for `serve` alone (scripts/imports/handlers.mjs).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkImports } from './imports/check.mjs'
import { checkHandlers } from './imports/handlers.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = new Map()

function collect(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist'].includes(entry.name)) collect(path)
    } else if (/\.(ts|tsx|mjs)$/.test(entry.name)) {
      files.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))
    }
  }
}

for (const name of ['contract', 'server', 'web', 'simulator', 'bench', 'e2e', 'scripts']) collect(join(root, name))
const faults = [...checkImports(files), ...checkHandlers(files)]
console.log(faults.length ? faults.join('\n') : `${files.size} modules import one way`)
process.exitCode = faults.length ? 1 : 0
