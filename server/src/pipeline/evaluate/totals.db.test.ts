import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { conditionsOf } from '../../domain/alarm-conditions.ts'
import { type Ended, emptyWatch, watch } from '../../domain/alarm-watch.ts'
import type { RecordWindow } from '../../domain/outside-time.ts'
import { Pipeline } from '../pipeline.ts'

const pipeline = describeIngest()

const start = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(start + minutes * minute)
const clockAt = (minutes: number) => pipeline.clock.set(at(minutes).toISOString())

const send = (device: TestDevice, ...readings: [minutes: number, degrees: number][]) =>
  pipeline.post(device, {
    readings: readings.map(([minutes, temperatureC]) => ({ at: at(minutes).toISOString(), temperatureC })),
  })

async function alarm(device: TestDevice, minutes: number, window: '24h' | 'record'): Promise<string> {
  const rule = { kind: 'value', temperatureMaxC: 8, cumulative: { minutes, window } }
  const settings = { rule, severity: 'critical', notifyNormal: true, deviceIds: [device.id] } as const
  return (await anAlarm(pipeline, device, settings)).id
}

/** A record of the device, as its verb leaves it and tells of it. */
async function record({ companyId, id }: TestDevice, from: number, to: number | null = null): Promise<string> {
  const times = { startAt: at(from), ...(to !== null && { endAt: at(to) }) }
  return (await buildRecord(pipeline, { companyId, deviceIds: [id], ...times })).id
}
const tell = ({ companyId, id }: TestDevice) =>
  pipeline.change(companyId, 'insert into settings_changes (subject) values ($1)', [`device:${companyId}:${id}`])

const triggers = ({ companyId, id }: TestDevice) =>
  pipeline.rows<Record<string, Date | null> & { condition: string; cumulative: unknown }>(
    'select * from alarm_triggers where (company_id, device_id) = ($1, $2) order by breach_at',
    [companyId, id],
  )
const events = async ({ companyId }: TestDevice) =>
  (
    await pipeline.rows<{ kind: string }>('select kind from alarm_events where company_id = $1 order by id', [
      companyId,
    ])
  ).map(({ kind }) => kind)
const times = (rows: Awaited<ReturnType<typeof triggers>>) =>
  rows.map((row) =>
    [row.breach_at, row.opened_at, row.normal_at].map((time) => time && (time.getTime() - start) / minute),
  )

describe('a cumulative alarm of 24 h', () => {
  test('opens at the minute the total is reached, is told once, and is normal when it is allowed again', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 30, '24h')
    await send(device, [0, 9], [10, 9], [20, 5], [100, 9], [110, 9], [119, 9])
    expect(times(await triggers(device))).toEqual([[100, 110, null]])
    expect(await triggers(device)).toMatchObject([{ cumulative: { minutes: 30, window: '24h' }, limit_value: 800 }])
    await send(device, [120, 5], [600, 5], [1449, 5])
    expect(times(await triggers(device))).toEqual([[100, 110, null]])
    await send(device, [1450, 5])
    expect(times(await triggers(device))).toEqual([[100, 110, 1450]])
    expect(await events(device)).toEqual(['opened', 'normal'])
  })
  test('opens by the clock while its last reading holds, also after a restart in the middle', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 30, '24h')
    clockAt(100)
    await send(device, [0, 9], [10, 9], [20, 5], [100, 9])
    await pipeline.pipeline.stop()
    const again = new Pipeline({
      databaseUrl: pipeline.databaseUrl,
      pool: pipeline.pool,
      bus: pipeline.bus,
      clock: pipeline.clock,
      log: pipeline.pipeline.log,
      metrics: pipeline.metrics(),
      window: { maxAgeMonths: 24, maxAheadHours: 24 },
    })
    await again.start()
    clockAt(110)
    await again.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[100, null, null]])
    clockAt(111)
    await again.sweepAlarms(false)
    await again.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[100, 110, null]])
    expect(await events(device)).toEqual(['opened'])
    await again.stop()
    await pipeline.reopen()
  })
  test('goes on counting after a restart', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 30, '24h')
    await send(device, [0, 9], [10, 9], [20, 5], [100, 9])
    await pipeline.pipeline.stop()
    await pipeline.pipeline.start()
    await send(device, [109, 9], [111, 9])
    expect(times(await triggers(device))).toEqual([[100, 110, null]])
  })
  test('is withdrawn when late data shows that the total was never reached', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 30, '24h')
    await send(device, [0, 9], [20, 5], [100, 9], [119, 9], [120, 5])
    expect(times(await triggers(device))).toEqual([[100, 110, null]])
    await send(device, [5, 5])
    const [found] = await triggers(device)
    expect(found?.withdrawn_at).not.toBeNull()
    expect(await events(device)).toEqual(['opened', 'withdrawn'])
  })
})

describe('a cumulative alarm of a record', () => {
  test('counts within the record from its beginning, stays in alarm, and ends with it by the clock', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 20, 'record')
    await send(device, [0, 9], [10, 9])
    expect(await triggers(device)).toEqual([])
    const trip = await record(device, 15)
    await send(device, [20, 9], [30, 9], [40, 9], [50, 5])
    expect(times(await triggers(device))).toEqual([[15, 35, null]])
    clockAt(60)
    await pipeline.pipeline.sweepAlarms(true)
    expect(times(await triggers(device))).toEqual([[15, 35, null]])
    await pipeline.change(
      device.companyId,
      `update records set state = 'ended', ended_by = 'hand', end_at = $3 where company_id = $1 and id = $2`,
      [device.companyId, trip, at(60)],
    )
    await tell(device)
    clockAt(61)
    await pipeline.pipeline.sweepAlarms(true)
    expect(times(await triggers(device))).toEqual([[15, 35, 60]])
    expect(await events(device)).toEqual(['opened', 'normal'])
    // Readings that were kept while offline arrive after the record: they are judged with their own time.
    await send(device, [55, 9], [70, 9])
    expect(times(await triggers(device))).toEqual([[15, 35, 60]])
    expect(await events(device)).toEqual(['opened', 'normal'])
  })
  test('is open again and told so where its record goes on after all, before anything new was measured', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 20, 'record')
    const trip = await record(device, 15)
    const endAt = (minutes: number | null) =>
      pipeline.change(
        device.companyId,
        `update records set state = $3, ended_by = $4, end_at = $5 where company_id = $1 and id = $2`,
        [...[device.companyId, trip], ...(minutes === null ? ['running', null, null] : ['ended', 'hand', at(minutes)])],
      )
    await send(device, [0, 9], [10, 9], [20, 9], [30, 9], [40, 9], [50, 5])
    await endAt(60)
    await tell(device)
    clockAt(61)
    await pipeline.pipeline.sweepAlarms(true)
    expect(times(await triggers(device))).toEqual([[15, 35, 60]])
    await endAt(null)
    await tell(device)
    await send(device, [55, 5])
    expect(times(await triggers(device))).toEqual([[15, 35, null]])
    await send(device, [57, 5])
    expect(await events(device)).toEqual(['opened', 'normal', 'opened'])
  })
  test('counts what was measured before somebody entered the record that had begun', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, 20, 'record')
    await send(device, [0, 9], [10, 9], [20, 9])
    await record(device, 0)
    await send(device, [30, 9])
    expect(times(await triggers(device))).toEqual([[0, 20, null]])
  })
})

test('any shuffled and split delivery makes the triggers of the ordered one', async () => {
  const series = fc
    .array(fc.tuple(fc.constantFrom(5, 10, 10, 20, 45, 400), fc.constantFrom(5, 9, 9)), { minLength: 3, maxLength: 30 })
    .map((steps) => {
      let time = 0
      return steps.map(([step, degrees]): [number, number] => {
        time += step
        return [time, degrees]
      })
    })
  const delivery = series.chain((points) =>
    fc.record({
      points: fc.constant(points),
      order: fc.shuffledSubarray(points, { minLength: points.length, maxLength: points.length }),
      size: fc.integer({ min: 1, max: 6 }),
      isInOrder: fc.boolean(),
    }),
  )
  let fired = 0
  await fc.assert(
    fc.asyncProperty(delivery, async ({ points, order, size, isInOrder }) => {
      const device = await pipeline.device({ intervalS: 600 })
      const rules = [
        { id: await alarm(device, 30, '24h'), minutes: 30, window: '24h' as const },
        { id: await alarm(device, 20, 'record'), minutes: 20, window: 'record' as const },
      ]
      const windows = [
        [10, 60],
        [40, 500],
      ] as const
      const records: RecordWindow[] = []
      for (const [from, to] of windows)
        records.push({ id: Number(await record(device, from, to)), from: at(from).getTime(), to: at(to).getTime() })
      const sent = isInOrder ? points : order
      for (let i = 0; i < sent.length; i += size) await send(device, ...sent.slice(i, i + size))
      const alarms = rules.map(({ id, minutes, window }) => {
        const rule = AlarmRule.parse({ kind: 'value', temperatureMaxC: 8, cumulative: { minutes, window } })
        return { id, from: 0, schedule: null, records, conditions: conditionsOf(rule, new Map()) }
      })
      const [state, ended]: [ReturnType<typeof emptyWatch>, Ended[]] = [emptyWatch(), []]
      const readings = points.map(([time, degrees]) => ({
        at: at(time).getTime(),
        temperature: degrees * 100,
        humidity: null,
        battery: null,
        fix: null,
      }))
      watch(alarms, state, readings, () => 30 * minute, ended)
      const wanted = [...ended, ...[...state.firings].map(([key, firing]) => ({ key, firing }))]
        .map(({ key, firing }) => [
          key,
          ...[firing.breachAt, firing.openedAt, firing.normalAt].map((time) => time && (time - start) / minute),
          firing.peak,
        ])
        .sort()
      const found = (await triggers(device))
        .filter((row) => row.withdrawn_at === null)
        .map((row) => [
          `${row.alarm_id}/${row.condition}`,
          ...[row.breach_at, row.opened_at, row.normal_at].map((time) => time && (time.getTime() - start) / minute),
          row.peak,
        ])
        .sort()
      expect(found).toEqual(wanted)
      fired += wanted.length
    }),
    { numRuns: 40 },
  )
  expect(fired).toBeGreaterThan(20)
}, 60_000)
