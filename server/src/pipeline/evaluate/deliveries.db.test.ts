import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { FenceArea } from '@isotherm/contract/places.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { buildGeofence } from '../../../test/place-factory.ts'
import { conditionsOf } from '../../domain/alarm-conditions.ts'
import { type Ended, emptyWatch, watch } from '../../domain/alarm-watch.ts'

const start = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(start + minutes * minute)
const minutesOf = (time: number | null) => time && (time - start) / minute
const depot: FenceArea = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 1000 }

/** A reading; all that it measures goes by `degrees`. */
type Point = [minutes: number, degrees: number]
// Inside, and on either side of the fence: some go right through. Some say no more than that it is near.
const latitudes = [6.5, 6.6, 6.4]
const valuesOf = ([minutes, degrees]: Point) => ({
  at: at(minutes).getTime(),
  temperatureC: degrees,
  lat: latitudes[degrees % 3] ?? 0,
  lon: 3.4,
  accuracyM: degrees % 4 === 3 ? 30_000 : 0,
})

const seriesOf = (steps: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(steps, fc.integer({ min: 0, max: 12 })), { minLength: 3, maxLength: 30 }).map((all) => {
    let time = 0
    return all.map(([step, degrees]): Point => {
      time += step
      return [time, degrees]
    })
  })

const grids = [
  { of: 'at any times', delayMinutes: 7, steps: fc.integer({ min: 1, max: 14 }) },
  {
    of: 'on a grid the delay fits',
    delayMinutes: 9,
    steps: fc.oneof({ weight: 5, arbitrary: fc.constant(3) }, { weight: 1, arbitrary: fc.constantFrom(6, 9, 12) }),
  },
]

// One clock for all readings of a device: where it was ahead and is put right, the order of arrival matters (clock-put-right.db.test.ts).
// A lane reads the states of devices again after a failure, a restart, and a change of settings that comes in between.
describe.each([
  { how: 'by what a lane remembers', maxRemembered: undefined, now: '2026-11-20T08:45:00Z' },
  { how: 'by what the tables have', maxRemembered: 0, now: '2026-11-20T20:00:00Z' },
  { how: 'by what the tables have of a clock that is ahead', maxRemembered: 0, now: '2026-11-20T08:45:00Z' },
])('judged $how', ({ maxRemembered, now }) => {
  const pipeline = describeIngest(maxRemembered === undefined ? {} : { maxRemembered })
  beforeEach(() => pipeline.clock.set(now))

  const send = async (device: TestDevice, points: readonly Point[]) => {
    const readings = points.map((point) => ({ ...valuesOf(point), at: at(point[0]).toISOString() }))
    const sent = await pipeline.post(device, { readings })
    // A refused batch would show later only, as wrong times of triggers.
    expect(sent.status, JSON.stringify(sent.answer)).toBe(200)
  }

  const triggersOf = async ({ companyId, id }: TestDevice) => {
    const rows = await pipeline.rows<
      Record<'breach_at' | 'opened_at' | 'normal_at', Date | null> & { key: string; peak: number | null }
    >(
      `select alarm_id || '/' || condition as key, breach_at, opened_at, normal_at, peak from alarm_triggers
       where (company_id, device_id) = ($1, $2) and withdrawn_at is null`,
      [companyId, id],
    )
    return rows
      .map(({ key, breach_at, opened_at, normal_at, peak }) => [
        key,
        ...[breach_at, opened_at, normal_at].map((time) => minutesOf(time?.getTime() ?? null)),
        peak,
      ])
      .sort()
  }

  test.each(grids)('measured $of: any split delivery, shuffled or not, makes the same triggers', async (grid) => {
    const { delayMinutes } = grid
    const rules = [
      { kind: 'value', temperatureMaxC: 8, temperatureMinC: 2, delayMinutes, deadbandC: 0.5 },
      { kind: 'value', temperatureMaxC: 9 },
      { kind: 'fence', direction: 'both', geofenceIds: [] as string[], dwellMinutes: 0 },
      { kind: 'fence', direction: 'in', geofenceIds: [] as string[], dwellMinutes: delayMinutes },
    ]
    const delivery = seriesOf(grid.steps).chain((points) =>
      fc.record({
        points: fc.constant(points),
        order: fc.oneof(
          fc.constant(points),
          fc.shuffledSubarray(points, { minLength: points.length, maxLength: points.length }),
        ),
        size: fc.integer({ min: 1, max: 6 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(delivery, async ({ points, order, size }) => {
        const device = await pipeline.device({ intervalS: 180 })
        const { companyId } = device
        const fence = (await buildGeofence(pipeline, { companyId, name: 'Depot', area: depot })).id
        const own = rules.map((rule) => ('geofenceIds' in rule ? { ...rule, geofenceIds: [fence] } : rule))
        const ids: string[] = []
        for (const rule of own) ids.push((await anAlarm(pipeline, device, { rule, deviceIds: [device.id] })).id)
        for (let i = 0; i < order.length; i += size) await send(device, order.slice(i, i + size))
        const fences = new Map([[`g${fence}`, { key: `g${fence}`, name: 'Depot', area: depot }]])
        const alarms = ids.map((id, i) => ({
          id,
          from: 0,
          schedule: null,
          conditions: conditionsOf(AlarmRule.parse(own[i]), fences),
        }))
        const state = emptyWatch()
        const ended: Ended[] = []
        const readings = points.map(valuesOf).map(({ at, temperatureC, lat, lon, accuracyM }) => ({
          at,
          temperature: temperatureC * 100,
          humidity: null,
          battery: null,
          fix: { at, lat, lon, accuracyM },
        }))
        watch(alarms, state, readings, () => 9 * minute, ended)
        const wanted = [...ended, ...[...state.firings].map(([key, firing]) => ({ key, firing }))]
          .map(({ key, firing }) => [
            key,
            ...[firing.breachAt, firing.openedAt, firing.normalAt].map(minutesOf),
            firing.peak,
          ])
          .sort()
        expect(await triggersOf(device)).toEqual(wanted)
      }),
      { numRuns: 40 },
    )
  })
})
