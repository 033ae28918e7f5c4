import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeApp } from '../../../test/describe-app.ts'
import { DatabaseClock } from '../../platform/clock/database-clock.ts'
import { Members } from '../../platform/cluster/members.ts'
import { askTime } from '../../platform/db/clock-queries.ts'
import { Shares } from '../../platform/db/shares.ts'
import { asLogin, asPipeline } from '../../platform/db/transaction.ts'
import { readinessOf } from '../../platform/http/health.ts'
import { serveMetrics } from '../../platform/http/metrics.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { statusOf, statusPages } from './status.ts'
import { statusPage } from './status-page.ts'

const t = describeApp()

const addNode = (
  name: string,
  { ago = '0 s', version = '1.0.0', isDraining = false, clockAheadMs = null as number | null } = {},
) =>
  asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into nodes (id, name, address, version, secret_mark, started_at, beat_at, is_draining, held, clock_ahead_ms)
       values (gen_random_uuid(), $1, '10.0.0.1:7400', $2, '', clock_timestamp() - interval '1 hour', clock_timestamp() - $3::interval, $4, '{1,2}', $5)`,
      [name, version, ago, isDraining, clockAheadMs],
    ),
  )

test('one server alone has a database, no nodes, and nothing that needs attention', async () => {
  const status = await statusOf(t.services)
  expect(status).toMatchObject({ nodes: [], warnings: [], database: { replicas: [], synchronousStandbys: '' } })
  expect(status.server.timeZones).toMatch(/^20\d\d[a-z]$/)
  expect(status.database?.bytes).toBeGreaterThan(1_000_000)
})

test('a dead node, and nodes of different versions, are warned of; the page escapes their names', async () => {
  await addNode('one')
  await addNode('two <b>', { version: '1.1.0', isDraining: true })
  await addNode('three', { ago: '10 s' })
  const { nodes, warnings } = await statusOf(t.services)
  expect(nodes.map(({ name, state, lanes }) => [name, state, lanes])).toEqual(
    expect.arrayContaining([
      ['one', 'alive', 2],
      ['two <b>', 'stopping', 2],
      ['three', 'dead', 0],
    ]),
  )
  expect(warnings).toEqual(['Node three gives no sign of life.', 'The nodes run different versions: 1.0.0, 1.1.0.'])
  const served = await serveMetrics(
    t.services.metrics,
    { port: 0, host: '127.0.0.1', token: null },
    readinessOf(t.services),
    statusPages(t.services),
  )
  const page = await fetch(`http://127.0.0.1:${served.port}/status`)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const text = await page.text()
  expect(text).toContain('two &#60;b&#62;')
  expect(text).not.toContain('<b>')
  expect(text).toContain(`<td>Time zone data</td><td>${process.versions.tz}</td>`)
  expect(text).toContain('Node three gives no sign of life.')
  const json = await fetch(`http://127.0.0.1:${served.port}/status.json`)
  expect(await json.json()).toMatchObject({ nodes: [{}, {}, {}] })
  expect((await fetch(`http://127.0.0.1:${served.port}/other`)).status).toBe(404)
  await served.close()
})

test('a clock that is wrong is shown, and warned of', async () => {
  const clockOf = async (machineAheadMs: number) => {
    const machine = { now: () => new Date(Date.now() + machineAheadMs) }
    const databaseClock = new DatabaseClock({ ask: askTime(t.pool), log: t.services.log, machine })
    await databaseClock.measure()
    return databaseClock
  }
  const right = await statusOf({ ...t.services, databaseClock: await clockOf(0) })
  expect(right.warnings.filter((warning) => warning.includes('clock'))).toEqual([])
  const status = await statusOf({ ...t.services, databaseClock: await clockOf(-60_000) })
  expect(status.server.clockAheadMs).toBeLessThan(-59_000)
  expect(status.warnings).toContainEqual(expect.stringMatching(/^This machine's clock is \d\d\.\d s behind/))
  expect(statusPage(status)).toMatch(/<td>Clock<\/td><td>\d\d\.\d s behind<\/td>/)
})

test('the clocks of all nodes of an installation are shown and judged', async () => {
  await t.pool.query('delete from nodes')
  await addNode('right')
  await addNode('wrong', { clockAheadMs: 3_000 })
  const cluster = {} as NonNullable<typeof t.services.config.cluster>
  const status = await statusOf({ ...t.services, config: { ...t.services.config, cluster } })
  expect(status.nodes.map(({ name, clockAheadMs }) => [name, clockAheadMs]).sort()).toEqual([
    ['right', null],
    ['wrong', 3_000],
  ])
  expect(status.warnings).toContainEqual(expect.stringMatching(/^The clock of node wrong is 3\.0 s ahead of/))
  expect(statusPage(status)).toContain('<td>3.0 s ahead</td>')
})

test('the page says who keeps the backup', async () => {
  const pageOf = async (databaseUrl?: string) =>
    statusPage(await statusOf({ ...t.services, config: { ...t.services.config, databaseUrl } }))
  expect(await pageOf()).toContain('There is none: set BACKUP_DIR')
  expect(await pageOf('postgres://db/isotherm')).toContain('This server keeps none of a PostgreSQL of your own')
})

test('nodes whose keys of audit trails differ, and ledgers that contradict each other, are warned of', async () => {
  await t.pool.query('delete from nodes')
  for (const name of ['one', 'two']) await addNode(name)
  await t.pool.query(`update nodes set audit_keys = case name when 'one' then '{a,b}'::text[] else '{a}' end`)
  const ledgers = { faults: ['They contradict each other.'] } as unknown as NonNullable<typeof t.services.ledgers>
  const peerFaults = () => ['This server does not reach node two.']
  const { warnings } = await statusOf({ ...t.services, ledgers, peerFaults })
  expect(warnings).toEqual(expect.arrayContaining(['They contradict each other.', ...peerFaults()]))
  expect(warnings).toContainEqual(expect.stringMatching(/^Node two signs audit trails with a former key/))
})

test('each node tells what waits in its memory, and any of them shows it of all', async () => {
  await t.pool.query('delete from nodes')
  await addNode('older')
  const url = (t.pool.options as { connectionString: string }).connectionString
  const facts = { name: 'busy', address: () => '10.0.0.2:7400', version: '1.0.0', secretMark: '' }
  const none = { clockAheadMs: () => null, auditKeys: () => [] }
  const members = new Members({ databaseUrl: url, ...facts, ...none, log: t.services.log })
  onTestFinished(() => members.stop())
  const queues = { readings: 0, calls: 0 }
  members.tellsQueues(() => queues)
  await members.start()
  Object.assign(queues, { readings: 4_711, calls: 12 })
  await members.beatNow()
  const status = await statusOf({ ...t.services, queues: () => ({ readings: 7, calls: 1 }) })
  expect(status.nodes.map(({ name, readingsWaiting, callsWaiting }) => [name, readingsWaiting, callsWaiting])).toEqual(
    expect.arrayContaining([
      ['older', null, null],
      ['busy', 4_711, 12],
    ]),
  )
  expect(status.server).toMatchObject({ readingsWaiting: 7, callsWaiting: 1 })
  const page = statusPage(status)
  expect(page).toContain('<td class="number">4711</td><td class="number">12</td>')
  expect(page).toContain('<td>Readings waiting</td><td class="number">7</td>')
})

test('calls that wait for their turn are counted', async () => {
  const shares = new Shares(1)
  const first = Promise.withResolvers<void>()
  const all = [1, 2, 3].map(() => shares.run(1, () => first.promise))
  expect(shares.waiting).toBe(2)
  first.resolve()
  await Promise.all(all)
  expect(shares.waiting).toBe(0)
})

test('a job that was given up is told to the operator: in the log, in the metrics, on the page', async () => {
  const { connectionString } = t.pool.options as { connectionString: string }
  const errors: [object, string][] = []
  const log = { ...t.services.log, warn: () => {}, error: (...line: [object, string]) => void errors.push(line) }
  const payload = z.strictObject({})
  const fails = async () => Promise.reject(new Error('no mail server'))
  const hopeless = { name: 'test-hopeless', payload, retryLimit: 1, run: fails }
  const ofClock = { name: 'test-of-clock', payload, retryLimit: 0, cron: '0 0 1 1 *', run: fails }
  const jobs = await startJobs(connectionString, { ...t.services, log: log as unknown as Log }, [hopeless, ofClock])
  onTestFinished(() => jobs.stop())
  await asLogin(t.pool, async ({ client }) => {
    await jobs.enqueue(client, hopeless, {})
    await jobs.enqueue(client, ofClock, {})
  })
  const states = async () =>
    (await t.pool.query(`select name, state from pgboss.job where name like 'test-%' order by name`)).rows
  const inState = (state: string) => ({ name: 'test-hopeless', state })
  await expect.poll(states, { timeout: 30_000 }).toContainEqual(inState('retry'))
  expect(errors).toEqual([])
  // The pause before its last try is over.
  await t.pool.query(`update pgboss.job set start_after = now() where name = 'test-hopeless'`)
  await expect
    .poll(states, { timeout: 60_000 })
    .toEqual([inState('failed'), { name: 'test-of-clock', state: 'failed' }])
  expect(errors).toMatchObject([[{ job: 'test-hopeless' }, 'a job was given up']])
  expect(await t.services.metrics.metrics()).toContain('jobs_given_up_total{job="test-hopeless"} 1\n')
  const { warnings } = await statusOf(t.services)
  expect(warnings.filter((line) => line.startsWith('test-'))).toEqual([
    'test-hopeless: given up within a day after many tries: 1. The log says why.',
  ])
})
