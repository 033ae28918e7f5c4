// Keeps tests and benches to the factories for devices, limits, alarms and triggers (scripts/test-rows/check.mjs).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTestRows } from './test-rows/check.mjs'
import { EXCEPTIONS } from './test-rows/exceptions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = new Map()
for (const room of ['server/src', 'server/test', 'e2e', 'bench', 'simulator', 'scripts'])
  for (const name of readdirSync(join(root, room), { recursive: true })) {
    const path = relative(root, join(root, room, name))
      .split(sep)
      .join('/')
    if (path.includes('node_modules/') || !isTest(room, path)) continue
    files.set(path, readFileSync(join(root, path), 'utf8'))
  }
const faults = checkTestRows(files, EXCEPTIONS)
console.log(faults.length ? faults.join('\n') : `${files.size} files of tests make devices and alarms by the factories`)
process.exitCode = faults.length ? 1 : 0

/** The rooms of tests hold nothing else, and factories stand in for the rows. */
function isTest(room, path) {
  if (['server/test', 'e2e', 'bench'].includes(room)) return path.endsWith('.ts')
  return path.endsWith('.test.ts')
}
