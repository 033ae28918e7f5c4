import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { noPrograms, type PostgresPair, programs, startPair, until } from '../../../test/postgres-pair.ts'
import { AppError } from '../errors/app-error.ts'
import { createMetrics } from '../http/metrics.ts'
import { createLog } from '../log/log.ts'
import { migrate } from './migrate.ts'
import { createPool, type Pool } from './pool.ts'
import { Replica } from './replica.ts'
import { asLogin } from './transaction.ts'

/** A replica of a pair, and how often it and the primary did the work. */
function replicaOf({ standby }: PostgresPair, primary: Pool) {
  const replica = new Replica(primary, standby.url(), 4, createLog('silent'), 1)
  const metrics = createMetrics({ ofProcess: false })
  replica.measure(metrics)
  const counts = async () => {
    const [metric] = await metrics.getMetricsAsJSON()
    const by = (who: string) => metric?.values.find(({ labels }) => labels.by === who)?.value ?? 0
    return { replica: by('replica'), primary: by('primary') }
  }
  return { replica, counts }
}

const portIn = (pool: Pool) =>
  asLogin(
    pool,
    async ({ client }) => (await client.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port,
  )

describe.skipIf(!programs())(`a primary and its replica (else: ${noPrograms})`, () => {
  let pair: PostgresPair
  let pool: Pool
  let replica: Replica
  let counts: ReturnType<typeof replicaOf>['counts']
  beforeAll(async () => {
    pair = await startPair({ synchronous: false }, { fsync: 'off' })
    pool = createPool(pair.primary.url(), 4, () => {})
    ;({ replica, counts } = replicaOf(pair, pool))
    await pool.query('create schema own')
    await pool.query('create table own.notes (n int)')
  }, 300_000)
  afterAll(async () => {
    await replica?.close()
    await pool?.end()
    await pair?.stop()
  })

  const newest = (over: Pool) =>
    asLogin(
      over,
      async ({ client }) => (await client.query<{ n: number }>('select max(n) as n from own.notes')).rows[0]?.n,
    )

  test('what was written is read at once, over the replica', async () => {
    const before = await counts()
    for (let n = 1; n <= 200; n += 1) {
      await pool.query('insert into own.notes values ($1)', [n])
      expect(await replica.read(newest)).toBe(n)
    }
    const after = await counts()
    expect(after.replica + after.primary - before.replica - before.primary).toBe(200)
    expect(after.replica - before.replica).toBeGreaterThan(0)
  })

  test('a replica that is behind is not read from until it has caught up', async () => {
    await until(async () => (await replica.read(portIn)) === pair.standby.port)
    await pair.standby.ask('select pg_wal_replay_pause()')
    onTestFinished(() => pair.standby.ask('select pg_wal_replay_resume()').then(() => {}))
    await pool.query('insert into own.notes values (1000)')
    expect(await replica.read(newest)).toBe(1000)
    expect(replica.fault).toBe('the replica is behind')
    expect(await replica.read(portIn)).toBe(pair.primary.port)
    await pair.standby.ask('select pg_wal_replay_resume()')
    await until(async () => (await replica.read(portIn)) === pair.standby.port)
    expect(replica.fault).toBeNull()
  })

  test('work that fails over the replica is done by the primary; an answer that is an error is an answer', async () => {
    await until(async () => (await replica.read(portIn)) === pair.standby.port)
    const ports: unknown[] = []
    const result = await replica.read(async (over) => {
      ports.push(await portIn(over))
      if (ports.length === 1) throw new Error('canceling statement due to conflict with recovery')
      return 'done'
    })
    expect(result).toBe('done')
    expect(ports).toEqual([pair.standby.port, pair.primary.port])
    await until(async () => (await replica.read(portIn)) === pair.standby.port)
    let times = 0
    const missing = replica.read(async (over) => {
      times += 1
      await portIn(over)
      throw new AppError('NOT_FOUND')
    })
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(times).toBe(1)
  })

  test('neither of the two lets such work write', async () => {
    const write = (over: Pool) => asLogin(over, ({ client }) => client.query('insert into own.notes values (5000)'))
    await expect(replica.read(write)).rejects.toMatchObject({ code: '25006' })
    expect(await newest(pool)).toBe(1000)
  })

  test('for work that cannot be begun twice one of them is chosen', async () => {
    await until(async () => (await portIn(await replica.choose(pool))) === pair.standby.port)
    await pair.standby.stop()
    expect(await portIn(await replica.choose(pool))).toBe(pair.primary.port)
    await pair.standby.start()
    await until(async () => (await portIn(await replica.choose(pool))) === pair.standby.port)
  })

  test('a login that may not see which primary the replica follows does without it', async () => {
    await pair.primary.ask('revoke pg_monitor from isotherm')
    onTestFinished(() => pair.primary.ask('grant pg_monitor to isotherm').then(() => {}))
    expect(await replica.read(portIn)).toBe(pair.primary.port)
    expect(replica.fault).toContain('pg_monitor')
  })

  test('a replica that was promoted is never read from again', async () => {
    await until(async () => (await replica.read(portIn)) === pair.standby.port)
    await pair.standby.promote()
    await pool.query('insert into own.notes values (2000)')
    expect(await replica.read(newest)).toBe(2000)
    expect(await replica.read(portIn)).toBe(pair.primary.port)
    expect(replica.fault).toBe('REPLICA_URL leads to a database that is no replica')
  })
})

describe.skipIf(!programs())(`a server with a replica (else: ${noPrograms})`, () => {
  let pair: PostgresPair
  let t: TestApp
  let counts: ReturnType<typeof replicaOf>['counts']
  let admin: TestUser
  beforeAll(async () => {
    pair = await startPair({ synchronous: false }, { fsync: 'off' })
    const url = pair.primary.url()
    await migrate(url, () => {})
    t = await startTestApp({}, { url, drop: async () => {} })
    const made = replicaOf(pair, t.pool)
    ;({ counts } = made)
    t.services.replica = made.replica
    admin = await buildUser(t, { company: await buildCompany(t) })
  }, 300_000)
  afterAll(async () => {
    await t?.services.replica?.close()
    await t?.close()
    await pair?.stop()
  })

  const lastHour = () => {
    const now = t.clock.now()
    return { from: new Date(now.getTime() - 3_600_000).toISOString(), to: now.toISOString() }
  }
  const exported = async () =>
    (
      await t.rows<{ n: number }>(
        `select count(*)::int as n from audit_log where action = 'devices.excursionsExported'`,
      )
    )[0]?.n

  test('a device that was just made has a chart, from the replica', async () => {
    const device = await aDevice(t, { companyId: admin.companyId })
    const before = await counts()
    const path = `/devices/${device.id}/history/chart`
    const answer = await t.call('GET', path, { token: admin.token, query: lastHour() })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const after = await counts()
    expect(after.replica + after.primary).toBe(before.replica + before.primary + 1)
  })

  test('an export leaves its entry in the trail, with and without the replica', async () => {
    const call = () => t.call('GET', '/excursions/export', { token: admin.token, query: {} })
    await until(async () => {
      const before = await counts()
      expect((await call()).status).toBe(200)
      return (await counts()).replica > before.replica
    })
    const entries = await exported()
    await pair.standby.stop()
    const before = await counts()
    expect((await call()).status).toBe(200)
    expect(await counts()).toEqual({ ...before, primary: before.primary + 1 })
    expect(await exported()).toBe((entries ?? 0) + 1)
    await pair.standby.start()
  })

  test('a report is gathered and written from the replica, and from the primary where the replica is gone', async () => {
    const device = await aDevice(t, { companyId: admin.companyId })
    const body = { ...lastHour(), format: 'csv' }
    for (const isGone of [false, true]) {
      if (isGone) await pair.standby.stop()
      const asked = await t.call('POST', `/devices/${device.id}/history/report`, { token: admin.token, body })
      await t.runJobs()
      const { body: report } = await t.call('GET', `/device-reports/${asked.body.payload.id}`, { token: admin.token })
      expect(report.payload, JSON.stringify(report)).toMatchObject({ state: 'ready', progress: 100 })
    }
    await pair.standby.start()
  })

  test('another company’s device is not found, whoever answers', async () => {
    const stranger = await buildUser(t, { company: await buildCompany(t) })
    const device = await aDevice(t, { companyId: admin.companyId })
    const path = `/devices/${device.id}/stats`
    expect((await t.call('GET', path, { token: stranger.token, query: lastHour() })).status).toBe(404)
  })
})
