import { type Limits, limitPresets } from '@isotherm/contract/device-limits.ts'
import type { StatsOfDevice, StatsOfImei } from '@isotherm/contract/stats.ts'
import { describe, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildHardware } from '../../../test/stock.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const iso = (at: number) => new Date(at).toISOString()

interface FactoryOptions {
  intervalS?: number
  visibility?: 'private' | 'public'
  limits?: Partial<Limits>
  name?: string
}

/** An Admin with a device whose limits hold from long ago. */
async function own(given: FactoryOptions = {}) {
  const admin = await buildUser(t)
  const validFrom = new Date(t.clock.now().getTime() - 400 * day)
  const device = await aDevice(t, { ...admin, intervalS: 600, ...given, validFrom })
  const of = async (from: number | string, to: number | string): Promise<StatsOfDevice> => {
    const text = (at: number | string) => (typeof at === 'number' ? iso(at) : at)
    const query = { from: text(from), to: text(to) }
    return (await t.call('GET', `/devices/${device.id}/stats`, { token: admin.token, query })).body.payload
  }
  const send = async (readings: TestReading[]) => {
    for (let i = 0; i < readings.length; i += 500) await pipeline.send(device, readings.slice(i, i + 500))
  }
  return { admin, device, of, send }
}

const every = (stepMs: number, from: number, values: readonly number[]): TestReading[] =>
  values.map((temperatureC, index) => ({ at: new Date(from + index * stepMs), temperatureC }))

describe('mean kinetic temperature', () => {
  test.each([
    ['20, 25 and 30 degrees equally long', [20, 25, 30], 25.858],
    ['20 for 2 h, 2 for 4 h, 25 for 1 h', [20, 20, 2, 2, 2, 2, 25], 15.678],
    ['2, 2, 5, 8, 8, 8, 8', [2, 2, 5, 8, 8, 8, 8], 6.25],
  ])('%s', async (_, values, expected) => {
    const { of, send } = await own({ intervalS: 3600 })
    const from = t.clock.now().getTime() - 20 * hour
    await send(every(hour, from, values))
    // The last reading holds for an hour more: until the period ends.
    const { temperature, humidity } = await of(from, from + values.length * hour)
    expect(temperature.mkt?.valueC).toBeCloseTo(expected, 3)
    expect(temperature.mkt).toMatchObject({ reason: null, activationKjPerMol: 83.144 })
    expect(humidity.mkt).toBeNull()
  })

  test('is not shown for frozen ranges, and says why', async () => {
    const { of, send } = await own({ limits: limitPresets.frozen })
    const from = t.clock.now().getTime() - 2 * hour
    await send(every(10 * minute, from, [-20, -20, -20]))
    expect((await of(from, from + hour)).temperature.mkt).toEqual({
      valueC: null,
      reason: 'frozen',
      activationKjPerMol: 83.144,
    })
  })
})

test('an excursion is counted, timed and taken apart by side, each only as far as it lies in the period', async () => {
  const { of, send } = await own({ limits: limitPresets.refrigerated })
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(10 * minute, from, [5, 9, 12, 9, 5, 1, 5, 5, 9]))
  const { temperature } = await of(from, from + 80 * minute)
  expect(temperature).toMatchObject({
    count: 9,
    min: { value: 1, at: iso(from + 50 * minute) },
    max: { value: 12, at: iso(from + 20 * minute) },
    average: expect.closeTo(60 / 9, 9),
    coveragePct: 100,
    aboveMs: 30 * minute,
    belowMs: 10 * minute,
    withinMs: 40 * minute,
    unjudgedMs: 0,
    verdict: 'outOfRange',
  })
  expect(temperature.excursions).toMatchObject({
    count: 3,
    longest: { startAt: iso(from + 10 * minute), ms: 30 * minute },
    shortest: { startAt: iso(from + 80 * minute), ms: 0 },
  })
  const middle = await of(from + 25 * minute, from + 45 * minute)
  expect(middle.temperature).toMatchObject({ count: 2, aboveMs: 15 * minute, withinMs: 5 * minute })
  expect(middle.temperature.excursions).toMatchObject({ count: 1, longest: { ms: 15 * minute } })
  // It ended as this one begins.
  expect((await of(from + 40 * minute, from + 45 * minute)).temperature.excursions.count).toBe(0)
})

describe('the verdict', () => {
  const verdictOf = async (given: FactoryOptions, values: (number | null)[]) => {
    const { of, send } = await own(given)
    const from = t.clock.now().getTime() - 10 * hour
    const readings = every(10 * minute, from, values.map(Number)).filter((_, index) => values[index] !== null)
    if (readings.length > 0) await send(readings)
    const { temperature } = await of(from, from + (values.length - 1) * 10 * minute)
    return [temperature.verdict, Math.round(temperature.coveragePct ?? -1), (temperature.longestGap?.ms ?? 0) / minute]
  }
  test('is in range only where every moment was measured', async () => {
    expect(await verdictOf({ limits: limitPresets.refrigerated }, [5, 5, 8, 2, 5])).toEqual(['inRange', 100, 10])
  })
  test('is incomplete after a silence of more than three intervals', async () => {
    const silent = [5, null, null, null, null, null, null, null, 5]
    expect(await verdictOf({ limits: limitPresets.refrigerated }, silent)).toEqual(['incomplete', 38, 80])
  })
  test('is incomplete where the period begins before the readings do', async () => {
    expect(await verdictOf({ limits: limitPresets.refrigerated }, [null, null, 5, 5, 5])).toEqual([
      'incomplete',
      50,
      20,
    ])
  })
  test('needs limits', async () => {
    expect(await verdictOf({}, [5, 5, 5])).toEqual(['noLimits', 100, 10])
  })
  test('needs readings', async () => {
    expect(await verdictOf({ limits: limitPresets.refrigerated }, [null, null])).toEqual(['noData', 0, 10])
  })
})

test('an open excursion lasts until now, and no longer than its last reading may hold', async () => {
  const { of, send } = await own({ limits: limitPresets.refrigerated })
  const now = t.clock.now().getTime()
  await send(every(10 * minute, now - 10 * minute, [9]))
  const ofNow = (await of(now - hour, now + day)).temperature
  expect(ofNow.aboveMs).toBe(10 * minute)
  t.clock.advance(2 * hour)
  const later = await of(now - hour, now + day)
  t.clock.set(new Date(now))
  expect(later.temperature.aboveMs).toBe(30 * minute)
  expect(later.period.to).toBe(iso(now + 2 * hour))
})

test('a day is as long as its zone says, and begins at its half hour', async () => {
  const now = t.clock.now()
  t.clock.set(new Date('2026-11-01T00:00:00Z'))
  const { of, send } = await own({ limits: limitPresets.refrigerated })
  const values = (count: number) => Array.from({ length: count }, (_, index) => 4 + (index % 7) / 10)
  await send(every(10 * minute, Date.parse('2026-03-28T12:00:00Z'), values(288)))
  await send(every(10 * minute, Date.parse('2026-10-24T12:00:00Z'), values(288)))
  const covered = async (from: string, to: string) => {
    const { temperature } = await of(from, to)
    return [temperature.count, temperature.coveredMs / hour, temperature.verdict]
  }
  // Europe/Berlin when clocks change; Asia/Kolkata, whose days begin at 18:30 UTC.
  expect(await covered('2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00')).toEqual([139, 23, 'inRange'])
  expect(await covered('2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00')).toEqual([151, 25, 'inRange'])
  expect(await covered('2026-03-29T00:00:00+05:30', '2026-03-30T00:00:00+05:30')).toEqual([145, 24, 'inRange'])
  const half = await covered('2026-03-29T00:00:00+05:30', '2026-03-29T12:00:00+05:30')
  expect(half).toEqual([73, 12, 'inRange'])
  t.clock.set(now)
})

describe('by IMEI', () => {
  const body = (from: number, to: number) => ({ from: iso(from), to: iso(to) })

  test('without a period it is the last 24 hours', async () => {
    const { admin, device, send } = await own({ limits: limitPresets.refrigerated })
    const now = t.clock.now().getTime()
    await send(every(hour, now - 26 * hour, Array(27).fill(5)))
    const { payload } = (await t.call('GET', `/stats/temperature/${device.imei}`, { token: admin.token })).body
    expect((payload as StatsOfImei).period).toEqual({ from: iso(now - day), to: iso(now) })
    expect((payload as StatsOfImei).stats.count).toBe(25)
    expect(payload.device).toEqual({ id: String(device.id), name: device.name, imei: device.imei, probe: 1 })
    const humidity = (await t.call('GET', `/stats/humidity/${device.imei}`, { token: admin.token })).body.payload
    expect(humidity.stats).toMatchObject({ count: 0, verdict: 'noData', mkt: null, coveragePct: 0 })
  })

  test('a swap leaves one device: both IMEIs give its whole history', async () => {
    const { admin, device, send } = await own({ limits: limitPresets.refrigerated })
    const now = t.clock.now().getTime()
    await send(every(10 * minute, now - 2 * hour, [5, 6, 7]))
    const next = await buildHardware(t)
    const swapAt = new Date(now - hour)
    await changing(t.pool, admin.companyId, async ({ tx }) => {
      await tx.updateTable('assignments').set({ valid_to: swapAt }).where('device_id', '=', device.id).execute()
      await tx
        .insertInto('assignments')
        .values({ company_id: admin.companyId, device_id: device.id, imei: next.imei, valid_from: swapAt })
        .execute()
    })
    await pipeline.send(next, every(10 * minute, now - hour, [9, 10]))
    const answers = await Promise.all(
      [device.imei, next.imei].map((imei) =>
        t.call('POST', `/stats/temperature/${imei}`, { token: admin.token, body: body(now - 3 * hour, now) }),
      ),
    )
    const [old, current] = answers.map(({ body: { payload } }) => payload)
    expect(old.stats).toMatchObject({ count: 5, max: { value: 10 }, excursions: { count: 1 }, verdict: 'outOfRange' })
    expect(current.stats).toEqual(old.stats)
    expect([old.device.imei, current.device.imei]).toEqual([device.imei, next.imei])
  })

  test('hardware with several probes is several devices', async () => {
    const { admin, device } = await own()
    const second = await aDevice(t, admin)
    const { imei } = await buildHardware(t, { probes: 2 })
    const valid_from = t.clock.now()
    await changing(t.pool, admin.companyId, async ({ tx }) => {
      await tx
        .insertInto('assignments')
        .values([
          { company_id: admin.companyId, device_id: second.id, imei, probe: 1, valid_from },
          { company_id: admin.companyId, device_id: device.id, imei, probe: 2, valid_from },
        ])
        .execute()
    })
    const ask = async (query: Record<string, string>) =>
      (await t.call('GET', `/stats/temperature/${imei}`, { token: admin.token, query })).body.payload?.device.id
    expect([await ask({}), await ask({ probe: '1' }), await ask({ probe: '2' }), await ask({ probe: '3' })]).toEqual([
      String(second.id),
      String(second.id),
      String(device.id),
      undefined,
    ])
  })

  test('an unknown, malformed or other company’s IMEI is not found, nor is a private device by Staff', async () => {
    const { admin, device } = await own({ visibility: 'private' })
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const stranger = await buildUser(t)
    const ask = async (token: string, imei: string) =>
      (await t.call('GET', `/stats/temperature/${imei}`, { token })).status
    expect(await ask(admin.token, device.imei)).toBe(200)
    for (const [token, imei] of [
      [staff.token, device.imei],
      [stranger.token, device.imei],
      [admin.token, '000000000000000'],
      [admin.token, 'not-an-imei'],
      [admin.token, `${device.imei}0`],
    ] as const)
      expect(await ask(token, imei), imei).toBe(404)
    const path = `/devices/${device.id}/stats`
    const query = { from: iso(0), to: iso(day) }
    expect((await t.call('GET', path, { token: staff.token, query })).status).toBe(404)
    expect((await t.call('GET', path, { token: stranger.token, query })).status).toBe(404)
  })

  test('several devices at once: those one may see, in the order asked for, and which are unknown', async () => {
    const { admin, device, send } = await own({ limits: limitPresets.refrigerated })
    const other = await aDevice(t, admin)
    const hidden = await aDevice(t, { ...admin, visibility: 'private' })
    const foreign = await aDevice(t, await buildCompany(t))
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const now = t.clock.now().getTime()
    await send(every(10 * minute, now - hour, [5, 9, 5]))
    const imei = [other.imei, foreign.imei, device.imei, hidden.imei, device.imei]
    const { payload } = (
      await t.call('POST', '/getDeviceStats', { token: staff.token, body: { imei, ...body(now - hour, now) } })
    ).body
    expect(payload.data.map((row: { device: { imei: string } }) => row.device.imei)).toEqual([other.imei, device.imei])
    expect(payload.unknown).toEqual([foreign.imei, hidden.imei])
    expect(payload.data[1]).toMatchObject({ temperature: { count: 3, verdict: 'outOfRange' }, humidity: { count: 0 } })
    expect(payload.data[0]).toMatchObject({
      temperature: { verdict: 'noData', average: null, min: null, longestGap: { ms: hour } },
    })
  })
})

test('readings a lapsed licence hides do not count', async () => {
  const { admin, device, of, send } = await own({ limits: limitPresets.refrigerated })
  const now = t.clock.now().getTime()
  await send(every(hour, now - 6 * hour, [5, 5, 5, 9, 9, 9]))
  await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx
      .updateTable('devices')
      .set({ licence_until: new Date(now - 3 * hour - 30 * day) })
      .where('id', '=', device.id)
      .execute(),
  )
  const shown = await of(now - 6 * hour, now)
  expect(shown.period.to).toBe(iso(now - 3 * hour - 1))
  expect(shown.temperature).toMatchObject({ count: 3, max: { value: 5 }, excursions: { count: 0 } })
  expect((await of(now - 2 * hour, now)).temperature).toMatchObject({ count: 0, verdict: 'noData', longestGap: null })
})

test('where the raw readings are gone the hours still tell, to the hour', async () => {
  const { of, send } = await own({ limits: limitPresets.refrigerated })
  const then = new Date(t.clock.now().getTime() - 300 * day)
  const from = Date.UTC(then.getUTCFullYear(), then.getUTCMonth(), 10, 0, 20)
  await send(every(10 * minute, from, [...Array(17).fill(5), 9, 9, ...Array(30).fill(5)]))
  const whole = await of(from - hour, from + day)
  const month = new Date(from).toISOString().slice(0, 7).replace('-', '_')
  await t.pool.query(`drop table readings_${month}`)
  const left = await of(from - hour, from + day)
  const hourOf = (at: string) => iso(Math.floor(Date.parse(at) / hour) * hour)
  expect(left.temperature).toMatchObject({
    max: { value: 9, at: hourOf(whole.temperature.max?.at ?? '') },
    excursions: whole.temperature.excursions,
    verdict: 'outOfRange',
  })
  // The last hour with readings is always taken raw.
  expect(whole.temperature.count - left.temperature.count).toBeLessThanOrEqual(6)
})

describe('a period that makes no sense is a 422', () => {
  const from = '2026-11-01T00:00:00Z'
  const to = '2026-11-02T00:00:00Z'
  test.each([
    ['from', { to }],
    ['from', { from: 'yesterday', to }],
    ['from', { from: to, to: from }],
    ['to', { from: '2016-11-01T00:00:00Z', to }],
    ['zone', { from, to, zone: 'Africa/Lagos' }],
  ])('%s %j', async (field, body) => {
    const { admin, device } = await own()
    for (const measure of ['temperature', 'humidity']) {
      const answer = await t.call('POST', `/stats/${measure}/${device.imei}`, { token: admin.token, body })
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
    }
    const several = { ...body, imei: [device.imei] }
    expect((await t.call('POST', '/getDeviceStats', { token: admin.token, body: several })).status).toBe(422)
  })

  test('start later than end is said in the words people know', async () => {
    const { admin, device } = await own()
    const body = { from: to, to: from }
    const answer = await t.call('POST', `/stats/temperature/${device.imei}`, { token: admin.token, body })
    expect(answer.body.fields.from).toEqual(['Start date cannot be later than End date'])
  })

  test.each([[[]], [['1']], [Array(51).fill('490154203237518')], ['490154203237518']])('imei %j', async (imei) => {
    const { admin } = await own()
    const answer = await t.call('POST', '/getDeviceStats', { token: admin.token, body: { imei, from, to } })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.fields)[0]).toMatch(/^imei/)
  })
})

test('a period of no length, and one that has not begun, are empty and no error', async () => {
  const { of } = await own()
  const now = t.clock.now().getTime()
  expect((await of(now - hour, now - hour)).temperature).toMatchObject({
    count: 0,
    coveragePct: null,
    longestGap: null,
  })
  const ahead = await of(now + hour, now + day)
  expect(ahead.period).toEqual({ from: iso(now + hour), to: iso(now + hour) })
  expect(ahead.temperature).toMatchObject({ count: 0, coveragePct: null, verdict: 'noData', withinMs: 0 })
  for (const year of ['1000', '1969', '9989'])
    expect((await of(`${year}-01-01T00:00:00Z`, `${year}-12-31T00:00:00Z`)).temperature.count).toBe(0)
})
