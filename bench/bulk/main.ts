import { setTimeout as sleep } from 'node:timers/promises'
import { type BulkUpload, bulkLimits } from '@isotherm/contract/bulk-uploads.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { type BenchServer, ended, openStage, settled } from '../pipeline/stage.ts'
import { share, watchHealth } from '../report/watch.ts'
import { csvOf, insertPlainly, makeSenders, type Sender, storedOf, xlsxOf } from './scene.ts'
import { uploadsAt } from './uploads.ts'

/*
 * Files of 10,000 shipments, read and stored by a real server. From the request until every row is stored a file must take at most so many times what
 * PostgreSQL takes to copy those rows by one statement each (the goal is 10 s, which is printed), and meanwhile the p99 of /health at most 8 times what it is without. All or nothing: a
 * wrong row in the middle, two files of one company at once, two companies at once, and the server killed (SIGKILL) in the middle leave either every
 * row or none, and no number unused.
 *
 *   npm run bench -- bulk [--rounds 3] [--kills 2] [--port 15770]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
// An upload is given up after its third attempt.
const [rounds, kills, port] = [option('rounds', 3), Math.min(2, option('kills', 2)), option('port', 15_770)]
const base = `http://127.0.0.1:${port}`
const bound = { of: 'a plain copy of the same rows', atMost: 25 }
const calmHealth = { of: 'its p99 without a file', atMost: 8 }
const goalS = 10
const rows = bulkLimits.rows
const failures: string[] = []
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
// The server logs each kill, which is no news.
process.env.LOG_LEVEL ??= 'fatal'

const stage = await openStage({ http: port, mqtt: port + 1 })
const uploads = uploadsAt(base)
try {
  const [first, second] = await makeSenders(stage.client, 2)
  if (!first || !second) throw new Error('no companies were made')
  let server = await stage.startServer()
  await settled(port)
  const watch = watchHealth(base)
  await sleep(5_000)
  const calm = share(await watch(), 0.99)
  console.log(`/health without a file: p99 ${calm} ms`)
  for (const kind of ['csv', 'xlsx'] as const) await clean(first, kind, calm)
  await oneWrong(first)
  await twoAtOnce(first, second)
  server = await killed(first, server)
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function clean(by: Sender, kind: 'csv' | 'xlsx', calm: number) {
  const [ours, plain]: [number[], number[]] = [[], []]
  const health = watchHealth(base)
  for (let round = 0; round < rounds; round++) {
    const prefix = `${kind}${round}`
    const bytes = kind === 'csv' ? csvOf(prefix) : await xlsxOf(prefix)
    ours.push(
      await storesAll(`${kind}, clean`, by, async () => {
        const { ms, settled: upload } = await uploads.upload(by, `season.${kind}`, bytes)
        return { ms, upload }
      }),
    )
    plain.push(await insertPlainly(stage.client, by, prefix))
  }
  const waits = await health()
  const best = (times: readonly number[]) => Math.min(...times)
  const time = judgeRatio(`${kind}, clean`, best(ours), best(plain), bound)
  const p99 = share(waits, 0.99)
  const held = judgeRatio(`${kind}: p99 of /health`, p99, calm, calmHealth)
  console.log(
    `${kind}: ${rows} rows in ${ours.map(seconds).join(', ')} (goal ${goalS} s), plain ${plain.map(seconds).join(', ')}: ${time.text}; /health meanwhile p99 ${p99} ms, slowest ${share(waits, 1 - 1 / (waits.length + 1))} ms of ${waits.length}: ${held.text}`,
  )
  failures.push(...time.failures, ...held.failures)
}

/** Every row is stored, under the next numbers. */
async function storesAll(name: string, by: Sender, act: () => Promise<{ ms: number; upload: BulkUpload }>) {
  const before = await storedOf(stage.client, by)
  const { ms, upload } = await act()
  const after = await storedOf(stage.client, by)
  if (upload.state !== 'stored') failures.push(`${name}: ${upload.state} ${JSON.stringify(upload.errors.slice(0, 3))}`)
  if (after.rows !== before.rows + rows || after.last !== before.last + rows)
    failures.push(`${name}: ${after.rows - before.rows} rows and ${after.last - before.last} numbers`)
  return ms
}

/** Nothing is stored, and no number is used. */
async function storesNothing(name: string, by: Sender, act: () => Promise<void>) {
  const before = await storedOf(stage.client, by)
  await act()
  const after = await storedOf(stage.client, by)
  if (after.rows !== before.rows || after.last !== before.last)
    failures.push(`${name}: ${after.rows - before.rows} rows and ${after.last - before.last} numbers`)
}

async function oneWrong(by: Sender) {
  await storesNothing('one wrong row', by, async () => {
    const { ms, settled: upload } = await uploads.upload(by, 'season.csv', csvOf('wrong', rows / 2))
    const [fault] = upload.errors
    console.log(
      `one wrong row in the middle: ${upload.state} after ${seconds(ms)}, row ${fault?.row}, ${fault?.column}`,
    )
    if (upload.state !== 'refused' || upload.errorCount !== 1 || fault?.row !== rows / 2 + 2)
      failures.push(`one wrong row: ${upload.state}, ${JSON.stringify(upload.errors.slice(0, 3))}`)
  })
}

/** One of two files of a company is told to wait; those of two companies are stored beside each other. */
async function twoAtOnce(first: Sender, second: Sender) {
  await storesAll('two of one company', first, async () => {
    const started = performance.now()
    const answers = await Promise.all(['a', 'b'].map((name) => uploads.send(first, `${name}.csv`, csvOf(name))))
    const refused = answers.filter(({ status }) => status !== 200)
    const taken = answers.find(({ status }) => status === 200)
    if (!taken) throw new Error('neither of two files was taken')
    const told = refused.map(({ code }) => code).join()
    if (told !== 'UPLOAD_RUNNING') failures.push(`two of one company: refused ${told}`)
    const upload = await uploads.follow(first, taken.payload.id)
    const ms = performance.now() - started
    console.log(`two files of one company at once: one ${upload.state} after ${seconds(ms)}, one ${told}`)
    return { ms, upload }
  })
  const times = await Promise.all(
    [first, second].map((by) =>
      storesAll('two companies', by, async () => {
        const { ms, settled: upload } = await uploads.upload(by, 'season.csv', csvOf('both'))
        return { ms, upload }
      }),
    ),
  )
  console.log(`files of two companies at once: stored after ${times.map(seconds).join(' and ')}`)
}

/** The server is killed while it stores: nothing stays. Started again, it stores all of it. */
async function killed(by: Sender, started: BenchServer): Promise<BenchServer> {
  let server = started
  const begun = performance.now()
  await storesAll('killed', by, async () => {
    const { payload } = await uploads.send(by, 'season.csv', csvOf('killed'))
    for (let kill = 1; kill <= kills; kill++) {
      await storesNothing(`kill ${kill}`, by, async () => {
        const { state, progress } = await uploads.follow(by, payload.id, (upload) => upload.progress > 60)
        await ended(server.process, 'SIGKILL')
        console.log(`kill ${kill}: ${state}, ${progress} % after ${seconds(performance.now() - begun)}`)
        if (state !== 'working') failures.push(`kill ${kill}: it was ${state}`)
        // PostgreSQL ends what the server had begun once it sees that nobody listens.
        await sleep(2_000)
      })
      server = await stage.startServer()
    }
    const upload = await uploads.follow(by, payload.id)
    const ms = performance.now() - begun
    console.log(`killed ${kills} times in the middle: ${upload.state} after ${seconds(ms)}`)
    return { ms, upload }
  })
  return server
}
