import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureChromium, findChromium } from './chromium.mjs'
import { inRoot } from './paths.mjs'
import { runNode } from './processes.mjs'
import { CHECKS, runChecks } from './verify.mjs'
import { ensureWeb } from './web.mjs'

const results = inRoot('.cache/test-results.json')

/** The checks and every test; ends with the line `N passed, N failed[, N skipped]`, in which each check counts as one. */
export async function test(args) {
  const unprepared = await attempt([
    ['Chromium', () => ensureChromium()],
    ['web build', () => ensureWeb()],
  ])
  const failed = [...unprepared, ...(args.length ? [] : await runChecks(CHECKS))]
  const checks = 2 + (args.length ? 0 : CHECKS.length)
  const tests = await runTests(args)
  for (const name of tests.retried) console.log(`Passed at its second try: ${name}`)
  if (failed.length) console.log(`\nFailed: ${failed.join(', ')}`)
  const totals = [`${tests.passed + checks - failed.length} passed`, `${tests.failed + failed.length} failed`]
  console.log(`\n${[...totals, ...(tests.skipped ? [`${tests.skipped} skipped`] : [])].join(', ')}`)
  return tests.failed + failed.length ? 1 : 0
}

async function attempt(steps) {
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

async function runTests(args) {
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(results, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const chromium = findChromium()
  const code = await runNode([inRoot('node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args], {
    env: chromium ? { CHROMIUM_PATH: chromium } : {},
  })
  return count(code)
}

/** A file that does not load and an error outside any test count as one failure each: they are not in vitest's sums. */
function count(code) {
  let report
  try {
    report = JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0, retried: [] }
  }
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  const outside = code !== 0 && failed === 0 ? 1 : 0
  return {
    passed: report.numPassedTests,
    failed: failed + outside,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    retried: report.testResults
      .flatMap((file) => file.assertionResults)
      .filter((one) => one.status === 'passed' && one.failureMessages.length > 0)
      .map((one) => one.fullName),
  }
}
