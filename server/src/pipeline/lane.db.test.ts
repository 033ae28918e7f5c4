import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeIngest } from '../../test/describe-app.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import type { TestDevice } from '../../test/pipeline-harness.ts'
import { findDifferences } from '../../test/recompute.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import { Pipeline } from './pipeline.ts'

const pipeline = describeIngest()

const minute = 60_000
const at = (minutesAgo: number) => new Date(Date.parse('2026-11-20T12:00:00Z') - minutesAgo * minute).toISOString()
const stored = async (device: TestDevice) =>
  (
    await pipeline.rows<{ temperature_centi: number }>(
      'select temperature_centi from readings where (company_id, device_id) = ($1, $2) order by measured_at',
      [device.companyId, device.id],
    )
  ).map((row) => row.temperature_centi)
const differences = (device: TestDevice) => asPipeline(pipeline.pool, ({ client }) => findDifferences(client, device))

describe('a reading that PostgreSQL refuses', () => {
  test('is kept as NOT_STORABLE and takes none of its message or batch with it', async () => {
    await pipeline.pool.query('alter table readings add constraint superstition check (temperature_centi <> 1300)')
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    const answers = await Promise.all([
      pipeline.post(device, {
        readings: [4, 13, 5, 13.01].map((temperatureC, index) => ({ at: at(9 - index), temperatureC })),
      }),
      pipeline.post(other, { at: at(1), temperatureC: 6 }),
    ])
    await pipeline.pool.query('alter table readings drop constraint superstition')
    expect(answers.map(({ answer }) => answer)).toMatchObject([
      { accepted: 3, rejected: [{ index: 1, code: 'NOT_STORABLE' }] },
      { accepted: 1, rejected: [] },
    ])
    expect(await stored(device)).toEqual([400, 500, 1301])
    expect(await stored(other)).toEqual([600])
    expect(await differences(device)).toEqual([])
  })
})

describe('a reading newer than the newest that is there all the same', () => {
  test('is found to be a duplicate, and others of the batch are stored', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(9), temperatureC: 4 })
    await pipeline.rows(
      `insert into readings (company_id, device_id, measured_at, received_at, temperature_centi) values ($1, $2, $3, now(), 500)`,
      [device.companyId, device.id, at(6)],
    )
    const { answer } = await pipeline.post(device, {
      readings: [
        { at: at(6), temperatureC: 5 },
        { at: at(3), temperatureC: 6 },
      ],
    })
    expect(answer).toMatchObject({ accepted: 1, duplicates: 1, rejected: [] })
    expect(await stored(device)).toEqual([400, 500, 600])
  })
})

describe('a listener that throws', () => {
  test('neither keeps a reading from being stored once nor from being acknowledged', async () => {
    const device = await pipeline.device()
    const stop = pipeline.bus.subscribe(device.companyId, () => {
      throw new TypeError('broken')
    })
    expect((await pipeline.post(device, { at: at(9), temperatureC: 4 })).answer).toMatchObject({
      accepted: 1,
      duplicates: 0,
    })
    stop()
    expect(await stored(device)).toEqual([400])
  })
})

describe('when the database drops the connections', () => {
  test('what was under way is stored and acknowledged once they are back', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(9), temperatureC: 9 })
    const lock = await pipeline.pool.connect()
    await lock.query('begin; lock table readings in exclusive mode')
    const sent = pipeline.post(device, { at: at(6), temperatureC: 9.5 })
    const blocked = async () =>
      (
        await lock.query(`select pid from pg_locks where relation = 'readings'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`)
      ).rows
    await vi.waitUntil(async () => (await blocked()).length > 0, { timeout: 30_000 })
    await lock.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'isotherm lane%'`,
    )
    await lock.query('commit')
    lock.release()
    expect(await sent).toMatchObject({ status: 200, answer: { accepted: 1 } })
    await pipeline.post(device, { at: at(3), temperatureC: 4 })
    expect(await stored(device)).toEqual([900, 950, 400])
    expect(await differences(device)).toEqual([])
  })
})

describe('another server', () => {
  test('waits for the lanes, and goes on in the middle of an excursion as if it had always been there', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { readings: [12, 9].map((ago) => ({ at: at(ago), temperatureC: 9 })) })
    const next = new Pipeline({
      databaseUrl: pipeline.databaseUrl,
      pool: pipeline.pool,
      bus: pipeline.bus,
      clock: pipeline.clock,
      log: pipeline.pipeline.log,
      metrics: pipeline.metrics(),
      window: { maxAgeMonths: 24, maxAheadHours: 24 },
    })
    let started = false
    const starting = next.start().then(() => {
      started = true
    })
    const waiting = () =>
      pipeline.pool.query(`select from pg_stat_activity a where application_name = 'isotherm lane 0' and query like '%try_advisory%'
         and datname = current_database() and not exists (select from pg_locks l where l.pid = a.pid and locktype = 'advisory' and granted)`)
    await vi.waitUntil(async () => (await waiting()).rows.length > 0, { timeout: 30_000 })
    expect(started).toBe(false)
    await pipeline.pipeline.stop()
    await starting
    const tracker = await next.directory.find(device.imei)
    if (!tracker) throw new Error('no tracker')
    const reading = (ago: number, temperatureCenti: number) => ({
      index: 0,
      probe: 1,
      measuredAt: Date.parse(at(ago)),
      temperatureCenti,
      humidityCenti: null,
      lightLux: null,
      batteryPct: null,
      latE7: null,
      lonE7: null,
      accuracyM: null,
      extra: null,
      raw: {},
    })
    await next.submit(tracker, 'http', { readings: [reading(6, 1000)], refused: [], acks: [] })
    await next.submit(tracker, 'http', { readings: [reading(3, 500)], refused: [], acks: [] })
    await next.stop()
    expect(
      await pipeline.rows(
        'select readings, peak_centi, start_at, end_at, centi_ms from excursions where device_id = $1',
        [device.id],
      ),
    ).toEqual([
      {
        readings: 3,
        peak_centi: 1000,
        start_at: new Date(at(12)),
        end_at: new Date(at(3)),
        centi_ms: String(100 * 6 * minute + 200 * 3 * minute),
      },
    ])
    expect(await differences(device)).toEqual([])
    await pipeline.pipeline.start()
  })
})

describe('a pipeline that stops', () => {
  test('refuses what comes late, which would wait for ever, and takes it in once it runs again', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(9), temperatureC: 4 })
    await pipeline.pipeline.stop()
    expect((await pipeline.post(device, { at: at(6), temperatureC: 5 })).status).toBe(503)
    const again = pipeline.pipeline.recompute(device.companyId, device.id, Date.parse(at(9)), Date.parse(at(0)))
    await expect(again).rejects.toThrow('the pipeline has stopped')
    await pipeline.pipeline.start()
    expect((await pipeline.post(device, { at: at(6), temperatureC: 5 })).answer).toMatchObject({ accepted: 1 })
    expect(await stored(device)).toEqual([400, 500])
  })

  test('has asked the database for the last time once it has stopped', async () => {
    const held = await pipeline.pool.connect()
    onTestFinished(() => held.release())
    await held.query('begin; lock table alarm_triggers in access exclusive mode')
    const swept = pipeline.pipeline.sweepAlarms(true)
    await lockWaits(pipeline.pool, 1)
    let isStopped = false
    const stopping = pipeline.pipeline.stop().then(() => {
      isStopped = true
    })
    const lanes = () =>
      pipeline.pool.query(
        `select from pg_stat_activity where datname = current_database() and application_name like 'isotherm lane%'`,
      )
    await vi.waitUntil(async () => (await lanes()).rows.length === 0, { timeout: 30_000 })
    expect(isStopped).toBe(false)
    await held.query('rollback')
    await Promise.all([swept, stopping])
    await pipeline.pipeline.start()
  })
})
