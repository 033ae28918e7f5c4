import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { exportOnce, keyOf, linesOf } from '../../../test/readings-export-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { noteArrivalText } from '../../core/reading-arrivals/arrivals-sql.ts'
import { Partitions } from '../../pipeline/store/partitions.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { forgetReadingArrivals } from './jobs.ts'
import { pageSize } from './read-page.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const [minute, day] = [60_000, 86_400_000]
let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

type Query = Record<string, string>
const read = (query: Query = {}, { token } = admin) => exportOnce(t, token, query)
const on = (cursor: string, more: Query = {}) => read({ cursor, ...more })
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const values = (readings: { temperatureC: number | null }[]) => readings.map(({ temperatureC }) => temperatureC)
type Device = Awaited<ReturnType<typeof aDevice>>
const send = (device: Device, ...readings: [minutesAgo: number, temperatureC: number][]) =>
  pipeline.send(
    device,
    readings.map(([minutesAgo, temperatureC]) => ({ at: ago(minutesAgo), temperatureC })),
  )

/** Inserts a reading as a lane does, and waits before it commits. */
async function insertAndWait({ companyId, id }: Device, at: Date, { notes = true } = {}) {
  await new Partitions(t.pool).ensure([at.getTime()])
  const client = await t.pool.connect()
  await client.query('begin; set local role pipeline')
  await client.query('select count(*) from settings_changes')
  await client.query(
    'insert into readings (company_id, device_id, measured_at, received_at, temperature_centi) values ($1, $2, $3, $4, 777)',
    [companyId, id, at, t.clock.now()],
  )
  const now = t.clock.now()
  if (notes) await client.query(noteArrivalText, [companyId, now, now, [id], [at]])
  return async () => {
    await client.query('commit')
    client.release()
  }
}

async function insertMany({ companyId, id }: Device, count: number, from: Date) {
  await new Partitions(t.pool).ensure([from.getTime(), from.getTime() + count * 1_000])
  await asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into readings (company_id, device_id, measured_at, received_at, temperature_centi)
       select $1, $2, $3::timestamptz + n * interval '1 second', $4, 500 from generate_series(1, $5) n`,
      [companyId, id, from, t.clock.now(), count],
    ),
  )
}

describe('an export', () => {
  test('has everything there is, device by device, then what arrives, and ends with a cursor', async () => {
    const [second, first] = [
      await aDevice(t, { companyId: admin.companyId, name: 'Cold "store"' }),
      await aDevice(t, { companyId: admin.companyId }),
    ]
    const at = ago(10)
    await pipeline.send(second, [
      { at, temperatureC: 4.1, humidityPct: 55.5, batteryPct: 80, lightLux: 3, lat: 6.4500001, lon: -3.4 },
    ])
    await send(first, [20, 5], [10, -6])
    const all = await read()
    expect(all.readings).toHaveLength(3)
    expect(all.readings[0]).toEqual({
      ...{ deviceId: String(second.id), deviceName: 'Cold "store"', at: at.toISOString() },
      ...{ receivedAt: t.clock.now().toISOString(), temperatureC: 4.1, humidityPct: 55.5, batteryPct: 80 },
      ...{ lightLux: 3, lat: 6.4500001, lon: -3.4 },
    })
    expect(all.readings[1]).toMatchObject({ temperatureC: 5, humidityPct: null, lat: null })
    expect(all.end).toEqual({ cursor: expect.any(String), hasMore: false, hidden: 0 })
    const none = await on(all.end.cursor)
    expect([none.readings, none.end.hasMore]).toEqual([[], false])
    await send(first, [5, 7])
    await send(second, [600, 8], [5, 9])
    const later = await on(none.end.cursor)
    expect(values(later.readings)).toEqual([7, 8, 9])
    expect(values((await on(all.end.cursor)).readings)).toEqual([7, 8, 9])
    expect((await on(later.end.cursor)).readings).toEqual([])
    expect(values((await read()).readings).sort()).toEqual([-6, 4.1, 5, 7, 8, 9])
  })

  test('is noted in the trail where it begins, and not where it goes on', async () => {
    const { end } = await read()
    await on(end.cursor)
    const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
    expect(acts.filter((action) => action === 'devices.readingsExported')).toHaveLength(1)
  })

  test('of a company without readings is a cursor, from which the first reading comes', async () => {
    const { readings, end } = await read()
    expect([readings, end.hasMore]).toEqual([[], false])
    const device = await aDevice(t, admin)
    await send(device, [5, 4])
    expect(values((await on(end.cursor)).readings)).toEqual([4])
  })

  test('has a value that was sent first, and never a second one for the same time', async () => {
    const device = await aDevice(t, admin)
    const { end } = await read()
    await send(device, [5, 4])
    await send(device, [5, 6])
    await send(device, [5, 4])
    expect(values((await on(end.cursor)).readings)).toEqual([4])
  })

  test('goes on in the middle of a device and of an arrival', async () => {
    const device = await aDevice(t, admin)
    await send(device, [50, 1], [40, 2], [30, 3])
    const first = await read({ limit: '2' })
    expect([values(first.readings), first.end.hasMore]).toEqual([[1, 2], true])
    await send(device, [20, 4], [45, 5], [10, 6])
    const rest = await on(first.end.cursor, { limit: '3' })
    expect(values(rest.readings)).toEqual([3, 5, 4])
    expect(values((await on(rest.end.cursor)).readings)).toEqual([6])
  })
})

describe('nothing is missed, and nothing comes twice', () => {
  test('where a transaction commits after those that began later', async () => {
    const device = await aDevice(t, admin)
    const { end } = await read()
    const commit = await insertAndWait(device, ago(30))
    await send(device, [5, 4])
    const before = await on(end.cursor)
    expect(values(before.readings)).toEqual([4])
    await commit()
    const after = await on(before.end.cursor)
    expect(values(after.readings)).toEqual([7.77])
    expect(values((await on(end.cursor)).readings)).toEqual([4, 7.77])
  })

  test('where one commits between two pages of everything', async () => {
    const device = await aDevice(t, admin)
    await read()
    await send(device, [50, 1], [40, 2], [20, 3])
    const commit = await insertAndWait(device, ago(30))
    const first = await read({ limit: '2' })
    await commit()
    const rest = await on(first.end.cursor)
    expect([...values(first.readings), ...values(rest.readings)]).toEqual([1, 2, 3, 7.77])
    expect(values((await read()).readings)).toEqual([1, 2, 7.77, 3])
  })

  test('where one that knows of no export is under way when the first one begins', async () => {
    const device = await aDevice(t, admin)
    await send(device, [50, 1])
    const lane = await t.pool.connect()
    await lane.query('select pg_advisory_lock(4919, 99)')
    lane.release()
    // The same connection, so it counts as a lane.
    const commit = await insertAndWait(device, ago(90), { notes: false })
    let isOver = false
    const asked = read().finally(() => {
      isOver = true
    })
    await expect
      .poll(async () => (await t.rows('select from reading_feeds where company_id = $1', [admin.companyId])).length)
      .toBe(1)
    expect(isOver).toBe(false)
    await commit()
    expect(values((await asked).readings)).toEqual([7.77, 1])
    await t.pool.query('select pg_advisory_unlock_all()')
  })

  test('where the line breaks in the middle, and old rows are frozen meanwhile', async () => {
    const device = await aDevice(t, admin)
    await insertMany(device, 12_000, ago(1_000))
    const { readings, cursors } = await read()
    expect([readings.length, cursors.length]).toEqual([12_000, 12_000 / pageSize + 2])
    const [cut] = cursors
    await send(device, [500, 4], [1_100, 5])
    await t.pool.query('vacuum (freeze) readings')
    const rest = await on(cut?.cursor ?? '')
    expect(rest.readings).toHaveLength(12_002 - pageSize)
    expect(values(rest.readings.slice(-2)).sort()).toEqual([4, 5])
    const seen = [...readings.slice(0, pageSize), ...rest.readings].map(keyOf)
    expect(new Set(seen).size).toBe(12_002)
  })

  test('whatever the order of sending, reading and beginning anew', async () => {
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('send' as const),
        device: fc.nat(1),
        minutes: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
      }),
      fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ kind: fc.constant('begin' as const), limit: fc.integer({ min: 1, max: 7 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
        const user = await buildUser(t)
        const devices = [await aDevice(t, user), await aDevice(t, user)]
        const sent = new Set<string>()
        const exports: { cursor: string; got: string[] }[] = []
        const go = async (one: { cursor: string; got: string[] }, limit: number) => {
          const { readings, end } = await read(
            { ...(one.cursor && { cursor: one.cursor }), limit: String(limit) },
            user,
          )
          one.got.push(...readings.map(keyOf))
          one.cursor = end.cursor
        }
        for (const one of acts) {
          if (one.kind === 'send') {
            const device = devices[one.device] as Device
            await send(device, ...one.minutes.map((minutes): [number, number] => [minutes, minutes / 10]))
            for (const minutes of one.minutes) sent.add(keyOf({ deviceId: device.id, at: ago(minutes).toISOString() }))
          } else if (one.kind === 'begin') {
            const begun = { cursor: '', got: [] }
            exports.push(begun)
            await go(begun, one.limit)
          } else for (const known of exports) await go(known, one.limit)
        }
        for (const one of exports) {
          await go(one, 1_000)
          expect([one.got.length, new Set(one.got)]).toEqual([sent.size, sent])
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('a cursor', () => {
  test.each([
    'x',
    '1',
    'all.00000000.0.0.all.0',
    'new.00000000.0.0.all.0.x',
    'new.0000000g.0.0.all.0',
    'all.00000000.0.0.all.0.9999999999999999999',
    '../../etc',
  ])('that is none is refused by its field: %s', async (cursor) => {
    const { status, code } = await on(cursor)
    expect([status, code]).toEqual([422, 'VALIDATION'])
  })

  test('goes on with the filter that it was made with', async () => {
    const device = await aDevice(t, admin)
    const deviceIds = String(device.id)
    const { end } = await read({ deviceIds })
    expect((await on(end.cursor)).status).toBe(422)
    expect((await on(end.cursor, { deviceIds, from: ago(5).toISOString() })).status).toBe(422)
    expect((await on(end.cursor, { deviceIds })).status).toBe(200)
  })

  test('of another company, of numbers that were not given, or of another mark is over', async () => {
    const { end } = await read()
    const device = await aDevice(t, admin)
    await send(device, [5, 4])
    const later = (await on(end.cursor)).end.cursor
    const stranger = await buildUser(t)
    await read({}, stranger)
    const codes = []
    for (const cursor of [later, end.cursor]) codes.push((await read({ cursor }, stranger)).code)
    const [phase, epoch, number, stamp, ...rest] = later.split('.')
    codes.push((await on([phase, epoch, '9', stamp, ...rest].join('.'))).code)
    codes.push((await on([phase, epoch, number, Number(stamp) ^ 1, ...rest].join('.'))).code)
    expect(codes).toEqual(Array(4).fill('CURSOR_OVER'))
  })

  test('is good for a month without news, and over once later ones are that old', async () => {
    const device = await aDevice(t, admin)
    const start = (await read()).end.cursor
    await send(device, [5, 4])
    const first = (await on(start)).end.cursor
    const monthly = async () => {
      t.clock.advance(29 * day)
      await on(first)
      await forgetReadingArrivals.run(t.services, {})
    }
    await monthly()
    await monthly()
    expect((await on(first)).status).toBe(200)
    await send(device, [5, 5])
    expect(values((await on(first)).readings)).toEqual([5])
    await monthly()
    await monthly()
    expect([(await on(start)).code, (await on(first)).code]).toEqual(['CURSOR_OVER', 'CURSOR_OVER'])
  })

  test('is over once nobody read for a month: nothing is noted then', async () => {
    const device = await aDevice(t, admin)
    const { end } = await read()
    await send(device, [5, 4])
    t.clock.advance(31 * day)
    await forgetReadingArrivals.run(t.services, {})
    expect(await t.rows('select from reading_arrivals where company_id = $1', [admin.companyId])).toEqual([])
    await send(device, [5, 5])
    expect(await t.rows('select from reading_arrivals where company_id = $1', [admin.companyId])).toEqual([])
    expect((await on(end.cursor)).code).toBe('CURSOR_OVER')
    expect(values((await read()).readings)).toEqual([4, 5])
    expect((await on(end.cursor)).code).toBe('CURSOR_OVER')
  })
})

test('lines are JSON whatever a device is called', async () => {
  const device = await aDevice(t, { companyId: admin.companyId, name: '\\"},{' })
  await send(device, [5, 4])
  const { readings } = linesOf((await t.call('GET', '/readings/export', { token: admin.token })).body)
  expect(readings[0]?.deviceName).toBe('\\"},{')
})
