import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/run/longest-first.ts'

const everywhere = ['**/node_modules/**', '**/dist/**', '.cache/**', '.bench/**']

/** Rules without a clock, files or a database: nothing that a test could leave behind for the next one. */
const ruleTests = ['server/src/domain/**/*.test.ts', 'contract/**/*.test.ts']

const webTests = globSync('web/src/**/*.test.{ts,tsx}', { cwd: import.meta.dirname })
  .map((path) => ({ path, text: readFileSync(new URL(path, import.meta.url), 'utf8') }))
  // A module that one file replaces would be replaced for the next files of its worker, too.
  .filter(({ text }) => !/vi\.(mock|doMock)\(/.test(text))
const pageTests = webTests.filter(({ text }) => text.includes('@vitest-environment page')).map(({ path }) => path)
const webRuleTests = webTests.filter(({ text }) => !text.includes('@vitest-environment')).map(({ path }) => path)

const clusterTests = 'e2e/**/*.cluster.test.ts'

/** Time-outs are long because an expected event may come late on a busy machine (the default of a second is short even for a page). */
const waits = { poll: { timeout: 30_000, interval: 50 } }

/** A wait begun before a click that then failed, or an answer still on its way as its page was closed: the test itself says what failed. */
const ofAClosedPage = /Target page, context or browser has been closed|while waiting for event/

/** Node reads the sources by itself, as it does for the product: less work than vite's reading of them. No module can be replaced then. */
const readByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

/** Tiers by suffix and place: pure needs nothing, db a real PostgreSQL, e2e a server and a browser, cluster several servers. */
export default defineConfig({
  test: {
    onUnhandledError: ({ message }) => !ofAClosedPage.test(message),
    // One more than processors: tests wait for pages, answers and files, too.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    // All tiers share one queue, so that no worker waits for the last file of a tier.
    sequence: { sequencer: LongestFirst },
    // Also for the servers that tests start: a raw key or a placeholder in a text is a failure, and long work does not rest.
    env: { CHECK_TEXTS: '1', LONG_WORK_RESTS: '0' },
    projects: [
      {
        test: {
          name: 'pure-rules',
          ...readByNode,
          expect: waits,
          setupFiles: ['server/test/properties.ts'],
          include: ruleTests,
          exclude: everywhere,
          pool: 'threads',
          // A worker reads a module once, and not for each file.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      // A worker with a page serves no file without one: in one project they would take turns, and each start a worker.
      ...[
        { name: 'pure-page', include: pageTests },
        { name: 'pure-web', include: webRuleTests },
      ].map((tests) => ({
        resolve: { alias: { 'vitest-environment-page': `${import.meta.dirname}/web/src/test/page-environment.ts` } },
        test: {
          ...tests,
          expect: waits,
          setupFiles: ['web/src/test/fresh-file.ts'],
          exclude: everywhere,
          pool: 'threads' as const,
          // A worker reads React and Mantine once, and not for each file.
          isolate: false,
          testTimeout: 60_000,
        },
      })),
      {
        test: {
          name: 'pure',
          expect: waits,
          setupFiles: ['server/test/properties.ts'],
          include: ['**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
          exclude: [...everywhere, '**/*.db.test.ts', 'e2e/**', ...ruleTests, ...pageTests, ...webRuleTests],
          pool: 'threads',
          // Generous, as below: some read all of the world's towns, or a year of weather.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'db',
          ...readByNode,
          expect: waits,
          setupFiles: ['server/test/properties.ts'],
          include: ['**/*.db.test.ts'],
          exclude: [...everywhere, 'e2e/**'],
          globalSetup: ['server/test/global-setup.ts'],
          pool: 'forks',
          // A worker reads the server once, and not for each file; databases and apps are each file's own.
          isolate: false,
          // Generous: a machine that does other work makes clusters slowly, and a hang still ends.
          // Longer than some waits one after the other, of which one lasts 30 s.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...readByNode,
          // A browser on a busy machine may miss a moment; what needed a second try is named at the end of the run.
          retry: 1,
          expect: waits,
          setupFiles: ['e2e/say-what-was-shown.ts'],
          // Pages are open for seconds: a browser that optimizes their code needs a fifth more processor time than it saves.
          env: { BROWSER_FLAGS: '--js-flags=--no-opt,--no-maglev' },
          include: ['e2e/**/*.test.ts'],
          exclude: [...everywhere, clusterTests],
          globalSetup: ['server/test/global-setup.ts'],
          pool: 'forks',
          // As above: what a worker reads it reads once. Each file has a server, a database and a browser of its own.
          isolate: false,
          // Journeys of a minute and a half were seen; each of their waits has its own end.
          testTimeout: 240_000,
          // Some begin with a dozen commands of the operator.
          hookTimeout: 360_000,
        },
      },
      {
        test: {
          name: 'cluster',
          include: [clusterTests],
          exclude: everywhere,
          // It starts five servers and waits for the most part. It judges what was lost, not how soon nodes are back: others may run meanwhile.
          pool: 'forks',
          testTimeout: 900_000,
        },
      },
    ],
  },
})
