import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { FenceArea } from '@isotherm/contract/places.ts'
import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { buildGeofence } from '../../../test/place-factory.ts'
import { Pipeline } from '../pipeline.ts'

const pipeline = describeIngest()

const start = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(start + minutes * minute)
const minutesOf = (time: Date | null) => time && (time.getTime() - start) / minute

interface Values {
  temperatureC?: number
  batteryPct?: number
  lat?: number
  lon?: number
}
const send = async (device: TestDevice, ...readings: [minutes: number, values: Values | number][]) => {
  const sent = await pipeline.post(device, {
    readings: readings.map(([minutes, values]) => ({
      at: at(minutes).toISOString(),
      ...(typeof values === 'number' ? { temperatureC: values } : values),
    })),
  })
  // A refused batch would show later only, as wrong times of triggers.
  expect(sent.status, JSON.stringify(sent.answer)).toBe(200)
  return sent
}

/** An alarm on a device, or on a group that the device is in. */
async function alarm(
  device: TestDevice,
  rule: object,
  more: { group?: boolean; joinedAt?: Date; snoozedUntil?: Date } = {},
): Promise<string> {
  const { group, joinedAt, snoozedUntil = null } = more
  const settings = { rule, severity: 'critical', notifyNormal: true, reminderMinutes: 15, snoozedUntil } as const
  if (!group)
    return (
      await anAlarm(pipeline, device, {
        ...settings,
        deviceIds: [device.id],
        ...(joinedAt && { watchesFrom: joinedAt }),
      })
    ).id
  const { id } = await buildGroup(pipeline, device, { deviceIds: [device.id], joinedAt: joinedAt ?? at(-60) })
  return (await anAlarm(pipeline, device, { ...settings, groupIds: [id] })).id
}

const triggers = ({ companyId, id }: TestDevice) =>
  pipeline.rows<Record<string, Date | null> & { condition: string; id: string; late: boolean }>(
    `select * from alarm_triggers where (company_id, device_id) = ($1, $2) order by breach_at, condition`,
    [companyId, id],
  )
const events = async ({ companyId }: TestDevice) =>
  (
    await pipeline.rows<{ kind: string }>('select kind from alarm_events where company_id = $1 order by id', [
      companyId,
    ])
  ).map(({ kind }) => kind)
const times = (rows: Awaited<ReturnType<typeof triggers>>) =>
  rows.map((row) => [row.breach_at, row.opened_at, row.normal_at].map((time) => minutesOf(time as Date | null)))

const depot: FenceArea = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 1000 }
const geofence = async ({ companyId }: TestDevice): Promise<string> =>
  (await buildGeofence(pipeline, { companyId, name: 'Depot', area: depot })).id

const warm = { kind: 'value', temperatureMaxC: 8 }

describe('a trigger', () => {
  test('opens with its reading, is told once, and goes back to normal', async () => {
    const device = await pipeline.device()
    await alarm(device, warm)
    const pushed = pipeline.listen(device.companyId)
    await send(device, [0, 7], [3, 9])
    expect(times(await triggers(device))).toEqual([[3, 3, null]])
    await send(device, [6, 10])
    expect(await triggers(device)).toMatchObject([
      { peak: 1000, value: 900, limit_value: 800, names: { device: 'Fridge' } },
    ])
    await send(device, [9, 8])
    expect(times(await triggers(device))).toEqual([[3, 3, 9]])
    expect(await events(device)).toEqual(['opened', 'normal'])
    const states = pushed.filter(({ kind }) => kind === 'trigger').map(({ data }) => (data as { state: string }).state)
    expect(states).toEqual(['open', 'open', 'normal'])
  })
  test('of one batch is one row and one message', async () => {
    const device = await pipeline.device()
    await alarm(device, warm)
    await send(device, [0, 7], [3, 9], [6, 8])
    expect(times(await triggers(device))).toEqual([[3, 3, 6]])
    expect(await events(device)).toEqual(['opened'])
  })
  test('of a group’s alarm fires for its members, from the very next reading on', async () => {
    const device = await pipeline.device()
    await send(device, [0, 9])
    await alarm(device, warm, { group: true })
    await send(device, [3, 9])
    expect(times(await triggers(device))).toEqual([[3, 3, null]])
  })
  test.each([
    { of: 'of an alarm that the device was added to', group: false },
    { of: 'of a group that the device joined', group: true },
  ])('$of does not come of what was measured before, in time or late', async ({ group }) => {
    const device = await pipeline.device()
    await alarm(device, warm, { group, joinedAt: at(10) })
    await send(device, [0, 9], [6, 9], [9, 7])
    await send(device, [3, 10])
    expect(await triggers(device)).toEqual([])
    await send(device, [12, 9])
    expect(times(await triggers(device))).toEqual([[12, 12, null]])
  })
  test('of a snoozed alarm is recorded, not told', async () => {
    const device = await pipeline.device()
    await alarm(device, warm, { snoozedUntil: new Date('2026-11-21T00:00:00Z') })
    await send(device, [3, 9])
    expect(await triggers(device)).toMatchObject([{ shelved: true }])
    expect(await events(device)).toEqual([])
  })
  test('of battery and of a fence', async () => {
    const device = await pipeline.device()
    await alarm(device, { kind: 'value', batteryMinPct: 20 })
    const fence = await geofence(device)
    await alarm(device, { kind: 'fence', direction: 'out', geofenceIds: [fence] })
    await send(device, [0, { batteryPct: 30, lat: 6.5, lon: 3.4 }])
    await send(device, [3, { batteryPct: 19, lat: 6.6, lon: 3.4 }])
    const found = await triggers(device)
    expect(found.map(({ condition }) => condition).sort()).toEqual(['batteryMin', `out:g${fence}`])
    expect(found.find(({ condition }) => condition.startsWith('out'))).toMatchObject({ names: { fence: 'Depot' } })
    await send(device, [6, { batteryPct: 20, lat: 6.5, lon: 3.4 }])
    expect((await triggers(device)).every((row) => row.normal_at !== null)).toBe(true)
  })
})

describe('the clock', () => {
  test('opens a trigger when its delay is over, once, also after a restart in the middle of it', async () => {
    const device = await pipeline.device()
    await alarm(device, { ...warm, delayMinutes: 5 })
    pipeline.clock.set(at(3).toISOString())
    await send(device, [3, 9])
    expect(times(await triggers(device))).toEqual([[3, null, null]])
    pipeline.clock.set(at(7).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[3, null, null]])
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
    pipeline.clock.set(at(8.5).toISOString())
    await again.sweepAlarms(false)
    await again.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[3, 8, null]])
    expect(await events(device)).toEqual(['opened'])
    await again.stop()
    await pipeline.reopen()
  })
  test('opens nothing that a reading of the end of the delay, a moment on its way, shows to be over', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, { ...warm, delayMinutes: 30 })
    for (const minutes of [59, 69, 79]) {
      pipeline.clock.set(at(minutes).toISOString())
      await send(device, [minutes, 9])
    }
    pipeline.clock.set(new Date(at(89).getTime() + 20_000).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    await send(device, [89, 7])
    expect(await triggers(device)).toEqual([])
    expect(await events(device)).toEqual([])
  })
  test('opens one when no reading of the end of the delay comes; one that comes later withdraws it', async () => {
    const device = await pipeline.device({ intervalS: 600 })
    await alarm(device, { ...warm, delayMinutes: 30 })
    for (const minutes of [59, 69, 79]) {
      pipeline.clock.set(at(minutes).toISOString())
      await send(device, [minutes, 9])
    }
    pipeline.clock.set(at(90).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[59, 89, null]])
    await send(device, [89, 7])
    const [found] = await triggers(device)
    expect([found?.normal_at, found?.withdrawn_at === null]).toEqual([null, false])
    expect(await events(device)).toEqual(['opened', 'withdrawn'])
  })
  test('misses nobody whose reading is due this very moment', async () => {
    const device = await pipeline.device({ intervalS: 1800 })
    await alarm(device, { kind: 'noData', afterMinutes: 30 })
    await send(device, [0, 5])
    pipeline.clock.set(new Date(at(30).getTime() + 10_000).toISOString())
    await pipeline.pipeline.sweepAlarms(true)
    expect(await triggers(device)).toEqual([])
  })
  test('leaves a pending one to a device that is sending what it kept, and drops it once that is over', async () => {
    const device = await pipeline.device()
    await alarm(device, { ...warm, delayMinutes: 15 })
    pipeline.clock.set(at(600).toISOString())
    await send(device, [0, 9], [3, 9])
    await pipeline.pipeline.sweepAlarms(false)
    await send(device, [9, 9], [12, 9], [15, 9], [18, 7], [21, 9])
    expect(times(await triggers(device))).toEqual([
      [0, 15, 18],
      [21, null, null],
    ])
    pipeline.clock.set(at(661).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[0, 15, 18]])
    expect(await events(device)).toEqual(['opened'])
  })
  test('notices a device that is silent, unless it is excused, until its next reading', async () => {
    const [device, muted] = [await pipeline.device(), await pipeline.device()]
    for (const one of [device, muted]) {
      await alarm(one, { kind: 'noData', afterMinutes: 30 })
      await send(one, [0, 5])
    }
    await pipeline.change(muted.companyId, `update devices set flight_mode = 'on' where company_id = $1`, [
      muted.companyId,
    ])
    pipeline.clock.set(at(29).toISOString())
    await pipeline.pipeline.sweepAlarms(true)
    expect(await triggers(device)).toEqual([])
    pipeline.clock.set(at(31).toISOString())
    await pipeline.pipeline.sweepAlarms(true)
    await pipeline.pipeline.sweepAlarms(true)
    expect(times(await triggers(device))).toEqual([[0, 30, null]])
    expect(await triggers(muted)).toEqual([])
    pipeline.clock.set(at(40).toISOString())
    await send(device, [4000, 5])
    expect(times(await triggers(device))).toEqual([[0, 30, null]])
    await send(device, [40, 5])
    expect(times(await triggers(device))).toEqual([[0, 30, 40]])
    expect(await events(device)).toEqual(['opened', 'normal'])
  })
  test('does not miss a device again while it sends what it kept', async () => {
    const device = await pipeline.device()
    await alarm(device, { kind: 'noData', afterMinutes: 30 })
    const sweepAt = async (minutes: number) => {
      pipeline.clock.set(at(minutes).toISOString())
      await pipeline.pipeline.sweepAlarms(true)
    }
    await sweepAt(0)
    await send(device, [0, 5])
    for (const minutes of [240, 241, 242]) {
      await sweepAt(minutes)
      await send(device, [(minutes - 239) * 10, 5])
    }
    await sweepAt(271)
    expect(times(await triggers(device))).toEqual([[0, 30, 10]])
    expect(await events(device)).toEqual(['opened', 'normal'])
    await sweepAt(273)
    expect(times(await triggers(device)).slice(1)).toEqual([[30, 60, null]])
  })
  test('gives a device that may send again the time that each alarm allows', async () => {
    const device = await pipeline.device()
    for (const afterMinutes of [10, 30]) await alarm(device, { kind: 'noData', afterMinutes })
    await send(device, [0, 5])
    // It says that its pause is over, and nothing more.
    await pipeline.change(
      device.companyId,
      `insert into device_commands (company_id, device_id, kind, value, created_at, acked_at, ok)
       values ($1, $2, 'transmission', '{"state": "started"}', $3, $3, true)`,
      [device.companyId, device.id, at(45)],
    )
    const missedAfter = async (minutes: number) => {
      pipeline.clock.set(at(minutes).toISOString())
      await pipeline.pipeline.sweepAlarms(true)
      return times(await triggers(device)).map(([, openedAt]) => openedAt)
    }
    expect(await missedAfter(54)).toEqual([])
    expect(await missedAfter(56)).toEqual([10])
    expect(await missedAfter(74)).toEqual([10])
    expect((await missedAfter(76)).sort()).toEqual([10, 30])
  })
})

describe('a device', () => {
  test('of which two things are due in one sweep has each written and told once', async () => {
    const device = await pipeline.device({ intervalS: 1800 })
    await alarm(device, { ...warm, delayMinutes: 5 })
    await alarm(device, { kind: 'noData', afterMinutes: 10 })
    pipeline.clock.set(at(0).toISOString())
    await send(device, [0, 9])
    pipeline.clock.set(at(11).toISOString())
    await pipeline.pipeline.sweepAlarms(true)
    expect(times(await triggers(device))).toEqual([
      [0, 10, null],
      [0, 5, null],
    ])
    expect(await events(device)).toEqual(['opened', 'opened'])
  })
  test('whose batch is refused has its triggers all the same, once', async () => {
    const device = await pipeline.device()
    await alarm(device, warm)
    await send(device, [0, 9])
    await pipeline.pool.query('alter table readings add constraint superstition check (temperature_centi <> 1300)')
    await send(device, [3, 10], [6, 13], [9, 7], [12, 9])
    await pipeline.pool.query('alter table readings drop constraint superstition')
    expect(times(await triggers(device))).toEqual([
      [0, 0, 9],
      [12, 12, null],
    ])
    expect(await events(device)).toEqual(['opened', 'normal', 'opened'])
  })
})

describe('late readings', () => {
  test('that breached are recorded with their true times, marked late, and told once', async () => {
    const device = await pipeline.device()
    await alarm(device, warm)
    pipeline.clock.set(at(180).toISOString())
    await send(device, [0, 7], [3, 7], [9, 7], [120, 7])
    await send(device, [6, 9])
    expect(times(await triggers(device))).toEqual([[6, 6, 9]])
    expect(await triggers(device)).toMatchObject([{ late: true }])
    await send(device, [7, 8])
    expect(times(await triggers(device))).toEqual([[6, 6, 7]])
    expect(await triggers(device)).toMatchObject([{ late: true }])
    expect((await triggers(device))[0]?.amended_at).not.toBeNull()
    expect(await events(device)).toEqual(['opened'])
  })
  test('withdraw what never was, and tell so, without losing who was told', async () => {
    const device = await pipeline.device()
    await alarm(device, { ...warm, delayMinutes: 5 })
    await send(device, [0, 9], [6, 9])
    expect(times(await triggers(device))).toEqual([[0, 5, null]])
    await send(device, [9, 9], [2, 7])
    const found = await triggers(device)
    expect(times(found)).toEqual([
      [0, 5, null],
      [6, null, null],
    ])
    expect(found.map((row) => row.withdrawn_at !== null)).toEqual([true, false])
    expect(await events(device)).toEqual(['opened', 'withdrawn'])
  })
  test('leave what a rule of before found, and go on with what it began', async () => {
    const device = await pipeline.device()
    const id = await alarm(device, warm)
    await send(device, [0, 9], [3, 7], [6, 9])
    await pipeline.change(device.companyId, 'update alarms set rule_from = $2, rule = $3 where id = $1', [
      id,
      at(8),
      JSON.stringify(AlarmRule.parse({ ...warm, temperatureMaxC: 8.5 })),
    ])
    await send(device, [9, 9], [15, 9])
    await send(device, [1, 7], [12, 9.5])
    const found = await triggers(device)
    expect(times(found)).toEqual([
      [0, 0, 3],
      [6, 6, null],
    ])
    expect(found.map((row) => row.withdrawn_at)).toEqual([null, null])
    expect(found[1]).toMatchObject({ peak: 950 })
    await pipeline.change(device.companyId, 'update alarms set archived_at = $2 where id = $1', [id, at(16)])
    await send(device, [2, 7])
    expect((await triggers(device)).map((row) => row.withdrawn_at)).toEqual([null, null])
    expect(await events(device)).toEqual(['opened', 'opened'])
  })
  test('know where the device was before a long silence', async () => {
    const device = await pipeline.device()
    await alarm(device, { kind: 'fence', direction: 'out', geofenceIds: [await geofence(device)] })
    await send(device, [0, { lat: 6.5, lon: 3.4 }], [100, { lat: 6.6, lon: 3.4 }], [103, 5])
    await send(device, [99, 5], [101, { temperatureC: 5, lat: 6.6, lon: 3.4 }])
    expect(times(await triggers(device))).toEqual([[100, 100, null]])
    await send(device, [96, { lat: 6.6, lon: 3.4 }])
    expect(times(await triggers(device))).toEqual([[96, 96, null]])
    expect(await events(device)).toEqual(['opened'])
  })
  test.each(['"x"', '1e300', '-5', 'true', 'null', '[3]', '{"a": 1}'])(
    'are judged where a stored reading has %s for its accuracy (M3)',
    async (accuracy) => {
      const device = await pipeline.device()
      await alarm(device, { kind: 'fence', direction: 'out', geofenceIds: [await geofence(device)] })
      await send(device, [0, { lat: 6.5, lon: 3.4 }], [3, { lat: 6.5, lon: 3.4 }], [20, 5])
      await pipeline.pool.query(
        `begin; alter table readings no force row level security;
         update readings set extra = jsonb_build_object('accuracyM', '${accuracy}'::jsonb)
         where company_id = ${device.companyId} and measured_at = '${at(0).toISOString()}';
         alter table readings force row level security; commit`,
      )
      const late: [number, Values] = [6, { temperatureC: 5, lat: 6.6, lon: 3.4 }]
      expect(await send(device, late)).toMatchObject({ answer: { accepted: 1, rejected: [] } })
      const [[crossedAt, openedAt, normalAt] = []] = times(await triggers(device))
      expect(crossedAt).toBeCloseTo(3.27, 2)
      expect([openedAt, normalAt]).toEqual([crossedAt, null])
    },
  )
  test('are judged as they would have been in time: a radius counts in whole metres (M3)', async () => {
    const [inTime, late] = [await pipeline.device(), await pipeline.device()]
    for (const device of [inTime, late])
      await alarm(device, { kind: 'fence', direction: 'out', geofenceIds: [await geofence(device)] })
    const inside: [number, Values] = [0, { lat: 6.5, lon: 3.4 }]
    const outside: [number, Values & { accuracyM: number }] = [
      6,
      { temperatureC: 5, lat: 6.508995, lon: 3.4, accuracyM: 0.4 },
    ]
    await send(inTime, inside, outside, [20, 5])
    await send(late, inside, [20, 5])
    await send(late, outside)
    expect(times(await triggers(inTime))).toHaveLength(1)
    expect(times(await triggers(late))).toEqual(times(await triggers(inTime)))
  })
  test('do not tell again of what the clock has opened', async () => {
    const device = await pipeline.device()
    await alarm(device, { ...warm, delayMinutes: 5 })
    pipeline.clock.set(at(3).toISOString())
    await send(device, [3, 9])
    pipeline.clock.set(at(9).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    await send(device, [1, 7])
    await pipeline.pipeline.sweepAlarms(false)
    expect(times(await triggers(device))).toEqual([[3, 8, null]])
    expect(await events(device)).toEqual(['opened'])
  })
  test('from within a delay that the clock has passed withdraw the trigger', async () => {
    const device = await pipeline.device()
    await alarm(device, { ...warm, delayMinutes: 5 })
    pipeline.clock.set(at(3).toISOString())
    await send(device, [3, 9])
    pipeline.clock.set(at(9).toISOString())
    await pipeline.pipeline.sweepAlarms(false)
    await send(device, [6, 7])
    const [found] = await triggers(device)
    expect([found?.normal_at, found?.withdrawn_at === null]).toEqual([null, false])
  })
})
