import { beforeEach, expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { reportRun } from '../../app.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { sweepReports } from './sweep.ts'

vi.setConfig({ testTimeout: 900_000 })

const t = describeApp()
// The sweep is of every company: what was made before is over.
async function clear() {
  await t.pool.query('delete from waiting_jobs')
  await asPipeline(t.pool, async ({ tx }) => {
    await tx.updateTable('reports').set({ next_run_at: null }).execute()
    await tx.updateTable('report_runs').set({ state: 'failed' }).where('state', 'in', ['waiting', 'building']).execute()
  })
}
beforeEach(clear)

const hour = 3_600_000
const day = 24 * hour
const sweepJob = sweepReports(reportRun)
const sweep = (services: Services = t.services) => sweepJob.run(services, {})

/** Services of a process that is killed at its n-th question to the database: nothing it does afterwards arrives. */
function dyingAt(step: number): { services: Services; asked: () => number } {
  let asked = 0
  const connect = async () => {
    const client = await t.pool.connect()
    const query = (...args: unknown[]) => {
      asked += 1
      if (asked >= step) return Promise.reject(new Error('killed'))
      return (client.query as (...given: unknown[]) => unknown)(...args)
    }
    return new Proxy(client, {
      get(target, name) {
        if (name === 'query') return query
        // Files that a killed process had open are gone.
        if (name === 'release') return (error?: Error) => target.release(asked >= step ? new Error('killed') : error)
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  const pool = new Proxy(t.pool, {
    get(target, name) {
      if (name === 'connect') return connect
      if (name === 'query')
        return async (...args: unknown[]) => {
          const client = await connect()
          try {
            return await (client.query as (...given: unknown[]) => unknown)(...args)
          } finally {
            client.release()
          }
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Pool
  return { services: { ...t.services, pool }, asked: () => asked }
}

async function added(admin: TestUser, body: object): Promise<string> {
  const device = await aDevice(t, { companyId: admin.companyId })
  const whole = {
    name: 'Daily',
    cadence: 'daily',
    deviceIds: [String(device.id)],
    contents: ['stats'],
    formats: ['csv'],
  }
  const { status, body: answer } = await t.call('POST', '/report', { token: admin.token, body: { ...whole, ...body } })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.payload.id
}

const runsOf = (admin: TestUser, id: string) =>
  inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx.selectFrom('report_runs').selectAll().where('report_id', '=', id).orderBy('period_from').execute(),
  )

test('over two years in four zones, swept now and then by servers killed at random: one run for every day, week and month, in each', async () => {
  const zones = ['Africa/Lagos', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata']
  const began = Date.parse('2027-01-01T12:00:00Z')
  t.clock.set(new Date(began))
  const admin = await buildUser(t)
  const least = { daily: 729, weekly: 104, monthly: 23 } as const
  const made: { id: string; cadence: keyof typeof least }[] = []
  for (const cadence of ['daily', 'weekly', 'monthly'] as const)
    for (const timezone of zones)
      made.push({ cadence, id: await added(admin, { timezone, cadence, time: '02:30', weekday: 7, monthDay: 31 }) })
  // Always the same chance.
  let seed = 42
  const chance = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const done = () =>
    asPipeline(t.pool, ({ tx }) =>
      tx.updateTable('report_runs').set({ state: 'ready' }).where('state', '=', 'waiting').execute(),
    )
  while (t.clock.now().getTime() < began + 730 * day) {
    t.clock.advance(Math.round((3 + chance() * 45) * hour))
    if (chance() < 0.4) await sweep(dyingAt(1 + Math.floor(chance() * 14)).services).catch(() => {})
    await Promise.all([sweep(), sweep()])
    await done()
  }
  for (const { id, cadence } of made) {
    const runs = await runsOf(admin, id)
    expect(runs.length).toBeGreaterThanOrEqual(least[cadence])
    expect(runs.length).toBeLessThanOrEqual(least[cadence] + 4)
    for (const [index, run] of runs.entries()) {
      const before = runs[index - 1]
      if (before) expect(run.period_from).toEqual(before.period_to)
    }
    expect(runs.filter(({ state }) => state === 'skipped').length).toBeLessThan(runs.length / 2)
  }
})

test('a report whose times cannot be worked out keeps no other company’s waiting, and goes on once they can', async () => {
  const [one, two] = [await buildUser(t), await buildUser(t)]
  const [broken, whole] = [
    await added(one, { timezone: 'Europe/Paris' }),
    await added(two, { timezone: 'Europe/Paris' }),
  ]
  const zone = (name: string) =>
    t.change(one.companyId, 'update reports set timezone = $1 where id = $2', [name, broken])
  await zone('Nowhere/Land')
  t.clock.advance(2 * day)
  await sweep()
  expect([(await runsOf(one, broken)).length, (await runsOf(two, whole)).length > 0]).toEqual([0, true])
  await zone('Europe/Paris')
  t.clock.advance(2 * hour)
  await sweep()
  t.clock.advance(day)
  await sweep()
  expect((await runsOf(one, broken)).length).toBeGreaterThan(0)
})

test('after a downtime of ten days the latest report is made up for, once; the others are kept as skipped', async () => {
  const admin = await buildUser(t)
  const id = await added(admin, { timezone: 'Europe/Paris', time: '07:00' })
  t.clock.advance(10 * day)
  await sweep()
  await sweep()
  const states = (await runsOf(admin, id)).map(({ state }) => state)
  expect(states).toEqual([...Array(9).fill('skipped'), 'waiting'])
  await t.runJobs()
  expect((await runsOf(admin, id)).at(-1)?.state).toBe('ready')
})

test('a paused report does not run, and once it goes on nothing is made up for', async () => {
  const admin = await buildUser(t)
  const id = await added(admin, { timezone: 'UTC', paused: true })
  t.clock.advance(3 * day)
  await sweep()
  await t.call('PATCH', `/report/${id}`, { token: admin.token, body: { paused: false } })
  await sweep()
  expect(await runsOf(admin, id)).toEqual([])
})

test('a later time on the day it has run already does not make it run twice', async () => {
  const admin = await buildUser(t)
  t.clock.set(new Date('2031-05-05T05:00:00Z'))
  const fresh = await buildUser(t, { company: admin })
  const id = await added(fresh, { timezone: 'UTC', time: '07:00' })
  t.clock.set(new Date('2031-05-05T07:30:00Z'))
  await sweep()
  const { body } = await t.call('PATCH', `/report/${id}`, { token: fresh.token, body: { time: '09:00' } })
  expect(body.payload.nextRunAt).toBe('2031-05-06T09:00:00.000Z')
  t.clock.set(new Date('2031-05-05T10:00:00Z'))
  await sweep()
  expect(await runsOf(admin, id)).toHaveLength(1)
})

test('killed between any two steps of the sweep, the run is made once', async () => {
  let steps = 0
  for (let asked = 1; asked >= steps; ) {
    steps += 1
    await clear()
    const admin = await buildUser(t)
    const id = await added(admin, { timezone: 'UTC', time: '07:00' })
    t.clock.advance(day)
    const dying = dyingAt(steps)
    await sweep(dying.services).catch(() => {})
    asked = dying.asked()
    // Locks of a killed process are free once the database has noticed.
    await asPipeline(t.pool, ({ tx }) => tx.selectFrom('reports').select('id').forUpdate().execute())
    await sweep()
    const runs = await runsOf(admin, id)
    expect(
      runs.map(({ state }) => state),
      `killed at step ${steps}`,
    ).toEqual(['waiting'])
    const { rows } = await t.pool.query(`select 1 from waiting_jobs where payload ->> 'runId' = $1`, [runs[0]?.id])
    expect(rows).toHaveLength(1)
  }
  // The last of them was not killed at all.
  expect(steps).toBeGreaterThan(8)
})

test('killed while it builds, the run is begun again and mailed once', async () => {
  for (const step of [3, 16]) {
    const admin = await buildUser(t)
    const address = `killed${step}.${admin.id}@example.test`
    const id = await added(admin, { timezone: 'UTC', time: '07:00', recipients: [{ email: address }] })
    t.clock.advance(day)
    await sweep()
    const [run] = await runsOf(admin, id)
    const job = { companyId: admin.companyId, runId: run?.id ?? '' }
    await reportRun.run(dyingAt(step).services, job).catch(() => {})
    // Told the same again while somebody may still be building it: nothing happens, or all of it.
    t.clock.advance(6 * 60_000)
    await sweep()
    await t.runJobs()
    const runs = await runsOf(admin, id)
    expect(
      runs.map(({ state }) => state),
      `killed at step ${step}`,
    ).toEqual(['ready'])
    const files = await inTenant(t.pool, admin.companyId, ({ tx }) =>
      tx.selectFrom('report_files').select('id').execute(),
    )
    expect(files).toHaveLength(1)
    expect(await mailsTo(t, address)).toHaveLength(1)
  }
})

test('a run that kills its builder again and again has failed, and says so', async () => {
  const admin = await buildUser(t)
  const id = await added(admin, { timezone: 'UTC', time: '07:00' })
  t.clock.advance(day)
  await sweep()
  const [run] = await runsOf(admin, id)
  const job = { companyId: admin.companyId, runId: run?.id ?? '' }
  for (let attempt = 0; attempt < 3; attempt++) {
    await reportRun.run(dyingAt(6).services, job).catch(() => {})
    t.clock.advance(6 * 60_000)
    await sweep()
  }
  expect((await runsOf(admin, id))[0]).toMatchObject({ state: 'failed', failure: 'broken', attempts: 3 })
  const mails = await mailsTo(t, admin.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Daily could not be built'])
  expect(mails[0]?.text).toContain(`/reports?report=${id}`)
})

test('of a report whose owner is gone an Admin hears that it failed', async () => {
  const admin = await buildUser(t, { locale: 'fr' })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  await added(manager, { name: 'Orphan', timezone: 'UTC', time: '07:00' })
  const removed = await t.call('DELETE', `/users/${manager.id}`, { token: admin.token })
  expect(removed.status, JSON.stringify(removed.body)).toBe(200)
  t.clock.advance(day)
  await sweep()
  await t.runJobs()
  expect(await mailsTo(t, manager.email)).toEqual([])
  const [mail, ...more] = await mailsTo(t, admin.email)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Orphan n’a pas pu être établi')
  expect(mail?.text).toContain('Enregistrez-le à nouveau')
})
