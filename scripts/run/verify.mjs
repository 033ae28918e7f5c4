import { existsSync } from 'node:fs'
import { inRoot } from './paths.mjs'
import { captureNode } from './processes.mjs'

const tool = (path, ...args) => [inRoot('node_modules', path), ...args]
// One thread: several of a program work out the same types each for itself, twice the work in all.
const tsc = (dir) => tool('typescript/bin/tsc', '--singleThreaded', '-p', dir)

/** The checks that run nothing of the product: each a name and the arguments of the pinned Node. The longest come first, so that they end together. */
export const CHECKS = [
  ...['web', 'server', '.', 'contract', 'simulator'].map((dir) => [
    `types: ${dir === '.' ? 'tests and benches' : dir}`,
    tsc(dir),
  ]),
  ['format and lint', tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')],
  ['lock file', [inRoot('scripts/complete-lock.mjs'), '--check']],
  ['imports', [inRoot('scripts/check-imports.mjs')]],
  ['languages', [inRoot('scripts/check-locales.mjs')]],
  ['words', [inRoot('scripts/check-words.mjs')]],
  ['roles of features', [inRoot('scripts/check-features.mjs')]],
  ['owners of tables', [inRoot('scripts/check-tables.mjs')]],
  ['rows of tests', [inRoot('scripts/check-test-rows.mjs')]],
  ['walls', [inRoot('scripts/check-walls.mjs')]],
  ['OpenAPI document', [inRoot('scripts/check-openapi.mjs')]],
  ['changes of the API', [inRoot('scripts/check-api.mjs')]],
  ['client', [inRoot('scripts/check-client.mjs')]],
  ['unused code', tool('knip/bin/knip.js')],
]

const PURE_TESTS = ['pure tests', tool('vitest/vitest.mjs', 'run', '--project', 'pure*', '--reporter=dot')]

/** Format, lint, imports, languages, words, unused code, types and the pure tests. Resolves with the exit code. */
export async function verify() {
  const started = Date.now()
  const failed = await runChecks([PURE_TESTS, ...CHECKS])
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(
    failed.length ? `\n${failed.length} failed: ${failed.join(', ')} (${seconds} s)` : `\nverified (${seconds} s)`,
  )
  return failed.length ? 1 : 0
}

/** Runs checks three at a time, prints a line for each and the output of those that fail. Resolves with their names. */
export async function runChecks(checks) {
  const waiting = [...checks]
  const failed = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, args] = next
      const started = Date.now()
      if (!existsSync(args[0])) throw new Error(`${args[0]} is missing`)
      const { code, output } = await captureNode(args)
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
      if (code === 0) continue
      failed.push(name)
      console.log(output)
    }
  }
  await Promise.all([work(), work(), work()])
  return failed
}
