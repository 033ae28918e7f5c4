import { accessSync, constants, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { ensureChromium, ensureShell } from './chromium.mjs'
import { tryServers } from './debian-servers.mjs'
import { inRoot } from './paths.mjs'
import { runNode } from './processes.mjs'
import { CHECKS, runChecks } from './verify.mjs'
import { ensureWeb } from './web.mjs'

const results = inRoot('.cache/test-results.json')

const PREPARATIONS = [
  ['Chromium', () => [ensureChromium(), ensureShell()]],
  ['web build', () => ensureWeb()],
  ['map tiles and towns', () => ensureTiles()],
  ['haproxy and NATS, where there are any', () => tryServers()],
]

/** Servers and commands that tests start come from it; in a run of some files, whose faults somebody looks for, from the sources. */
const SERVER_BUILD = ['server build', () => buildServer()]

/** The checks and every test; ends with the line `N passed, N failed[, N skipped]`, in which each check counts as one. */
export async function test(args) {
  const preparations = args.length ? PREPARATIONS : [...PREPARATIONS, SERVER_BUILD]
  // The build keeps one processor busy, the checks the others.
  const found = await Promise.all([prepare(preparations), args.length ? [] : runChecks(CHECKS)])
  const failed = found.flat()
  const checks = preparations.length + (args.length ? 0 : CHECKS.length)
  const isBuilt = preparations.includes(SERVER_BUILD) && !failed.includes(SERVER_BUILD[0])
  const tests = await runTests(args, isBuilt ? { SERVER_BUILD: inRoot('.cache/server-build/main.mjs') } : {})
  for (const name of tests.retried) console.log(`Passed at its second try: ${name}`)
  // Nobody who asked for one file needs to be told what else there is.
  if (!args.length) for (const name of tests.left) console.log(`Left out: ${name}`)
  if (failed.length) console.log(`\nFailed: ${failed.join(', ')}`)
  const totals = [`${tests.passed + checks - failed.length} passed`, `${tests.failed + failed.length} failed`]
  console.log(`\n${[...totals, ...(tests.skipped ? [`${tests.skipped} skipped`] : [])].join(', ')}`)
  return tests.failed + failed.length ? 1 : 0
}

/** Does one after the other. Resolves with the names of those that failed. */
async function prepare(steps) {
  const failed = []
  for (const [name, step] of steps) {
    try {
      await step()
    } catch (error) {
      console.log(`✗ ${name}: ${error.message}`)
      failed.push(name)
    }
  }
  return failed
}

/** The basemap's tiles and the towns, which every server that a test starts would make otherwise. */
async function ensureTiles() {
  const code = await runNode([inRoot('server/src/prepare-install.ts')])
  if (code !== 0) throw new Error('the tiles of the basemap or the towns could not be made')
}

async function buildServer() {
  const vite = inRoot('node_modules/vite/bin/vite.js')
  const config = inRoot('scripts/run/server-build.config.ts')
  const code = await runNode([vite, 'build', '--logLevel', 'warn', '--config', config])
  if (code !== 0) throw new Error('the server could not be put into a few files')
}

async function runTests(args, servers) {
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(results, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  // Dozens of servers, commands and writers of reports start: each of their modules is compiled once for all of them.
  const compiled = inRoot('.cache/compiled')
  // Nobody else removes what former sources have left there.
  rmSync(compiled, { recursive: true, force: true })
  const env = { NODE_COMPILE_CACHE: compiled, ...servers, ...temporary() }
  const code = await runNode([inRoot('node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args], { env })
  return count(code)
}

const MEMORY_DISK = '/dev/shm'
const GIB = 2 ** 30

/**
 * Databases and files of tests are in memory where there is plenty. Hundreds of databases are copied, and on a disk each
 * waits for the deletion of the one before: 33 ms in memory, half a second on a disk.
 */
function temporary() {
  if (process.env.TMPDIR || freemem() < 10 * GIB) return {}
  try {
    accessSync(MEMORY_DISK, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return bavail * bsize < 6 * GIB ? {} : { TMPDIR: MEMORY_DISK }
  } catch {
    return {}
  }
}

/** A file that does not load and an error outside any test count as one failure each: they are not in vitest's sums. */
function count(code) {
  let report
  try {
    report = JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0, retried: [], left: [] }
  }
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  const outside = code !== 0 && failed === 0 ? 1 : 0
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  return {
    passed: report.numPassedTests,
    failed: failed + outside,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    retried: tests
      .filter((one) => one.status === 'passed' && one.failureMessages.length > 0)
      .map((one) => one.fullName),
    left: new Set(tests.filter(isLeft).map((one) => one.ancestorTitles[0] ?? one.fullName)),
  }
}

/** The group of tests says in its name why it is left out. */
const isLeft = ({ status }) => status === 'skipped' || status === 'pending'
