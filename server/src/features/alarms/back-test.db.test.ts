import type { BackTest } from '@isotherm/contract/back-test.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'
import { setUnitWeight } from '../../core/provider/price-list.ts'
import { asLogin, asPipeline, inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute

async function company() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  return { company, admin, device: (more: object = {}) => aDevice(t, { ...company, ...more }) }
}
const ask = async (token: string, body: object): Promise<BackTest> => {
  const answer = await t.call('POST', '/alarms/backtest', { token, body })
  expect(answer.body).toMatchObject({ success: true })
  return answer.body.payload
}
const warm = { kind: 'value', temperatureMaxC: 8 }

/** The triggers the engine opened for an alarm, in the words of a back-test. */
const opened = (companyId: number, alarmId: string) =>
  asPipeline(t.pool, async ({ client }) => {
    const { rows } = await client.query<
      Record<string, unknown> & { opened_at: Date; breach_at: Date; normal_at: Date | null }
    >(
      `select * from alarm_triggers where company_id = $1 and alarm_id = $2 and opened_at is not null and withdrawn_at is null`,
      [companyId, alarmId],
    )
    return rows.map((row) => ({
      condition: String(row.condition).split(':')[0],
      breachAt: row.breach_at.toISOString(),
      openedAt: row.opened_at.toISOString(),
      normalAt: row.normal_at?.toISOString() ?? null,
      peak: row.peak === null ? null : Number(row.peak) / 100,
    }))
  })
const sorted = (rows: { condition: string | undefined; breachAt: string }[]) =>
  rows.map((row) => JSON.stringify(row)).sort()

/** Sends readings through the real pipeline to a device with a real alarm, and asks what that alarm would have done. */
async function compare(
  ruleOf: object | ((token: string) => Promise<object>),
  schedule: object | null,
  readings: TestReading[],
  size = 1,
  records: [from: number, to: number][] = [],
) {
  const { company: own, admin, device } = await company()
  const rule = typeof ruleOf === 'function' ? await ruleOf(admin.token) : ruleOf
  const watched = await device({ intervalS: 180, validFrom: new Date('2020-01-01') })
  const start = Math.ceil(t.clock.now().getTime() / hour) * hour
  t.clock.set(new Date(start))
  const question = { rule, schedule, deviceIds: [String(watched.id)] }
  const body = { name: 'Compared', ...question, recipients: [{ userId: admin.id, channels: ['app'] }] }
  const made = await t.call('POST', '/alarms', { token: admin.token, body })
  expect(made.body).toMatchObject({ success: true })
  for (const [from, to] of records) {
    const window = { startAt: new Date(start + from), endAt: new Date(start + to + 1) }
    await buildRecord(t, { ...own, deviceIds: [watched.id], ...window })
  }
  for (let i = 0; i < readings.length; i += size) {
    const batch = readings.slice(i, i + size).map((one) => ({ ...one, at: new Date(start + one.at.getTime()) }))
    t.clock.set(batch.at(-1)?.at ?? new Date(start))
    await pipeline.sweepAlarms()
    await pipeline.send(watched, batch)
  }
  t.clock.advance(7 * minute)
  await pipeline.sweepAlarms()
  const engine = await opened(own.companyId, made.body.payload.id)
  const { firings, count } = await ask(admin.token, { ...question, days: 5 })
  const tested = firings.map(({ condition, breachAt, openedAt, normalAt, peak }) => ({
    condition,
    breachAt,
    openedAt,
    normalAt,
    peak,
  }))
  expect(sorted(tested)).toEqual(sorted(engine))
  expect(count).toBe(engine.length)
  return count
}

/** Readings some minutes apart, with gaps, whose values hang about the limits. */
const series = (values: fc.Arbitrary<Omit<TestReading, 'at'>>) =>
  fc
    .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(3) }, fc.integer({ min: 1, max: 90 })), values), {
      minLength: 5,
      maxLength: 40,
    })
    .map((steps) => {
      let at = 0
      return steps.map(([step, value]): TestReading => {
        at += step * minute
        return { at: new Date(at), ...value }
      })
    })
const around = (values: number[]) => fc.constantFrom(...values)
// Mostly calm, so that most hours are skipped.
const values = fc.record({
  temperatureC: fc.oneof(
    { weight: 3, arbitrary: around([2, 2.4, 5, 7.4, 7.6, 8]) },
    { weight: 1, arbitrary: around([1, 8.1, 9, 12]) },
  ),
  humidityPct: around([40, 60, 61]),
  batteryPct: around([14, 15, 16, 40]),
})
const schedules = fc.option(
  fc.record({
    zone: fc.constantFrom('UTC', 'Africa/Nairobi', 'America/St_Johns'),
    days: fc.constant([1, 2, 3, 4, 5, 6, 7]),
    from: fc.constantFrom('00:00', '06:00', '18:30'),
    to: fc.constantFrom('06:00', '12:15', '18:30'),
  }),
)

describe('a back-test finds what the engine opened', () => {
  const rules = fc.record({
    kind: fc.constant('value' as const),
    temperatureMaxC: fc.constant(8),
    temperatureMinC: fc.constantFrom(null, 2),
    humidityMaxPct: fc.constantFrom(null, 60),
    batteryMinPct: fc.constantFrom(null, 15),
    delayMinutes: fc.constantFrom(0, 0, 5, 6, 9, 9, 20),
    deadbandC: fc.constantFrom(0, 0, 0.5, 3),
    deadbandPct: fc.constantFrom(0, 1),
  })
  test('of value rules, with gaps, flapping, delays, deadbands and schedules', async () => {
    let fired = 0
    await fc.assert(
      fc.asyncProperty(
        rules,
        schedules,
        series(values),
        fc.integer({ min: 1, max: 6 }),
        async (rule, schedule, readings, size) => {
          // With a delay, what the clock says between two readings matters, and a buffer hides them from it.
          fired += await compare(rule, schedule, readings, rule.delayMinutes === 0 ? size : 1)
        },
      ),
      { numRuns: Number(process.env.BACK_TEST_RUNS ?? 40) },
    )
    expect(fired).toBeGreaterThan(20)
  }, 120_000)

  test('of minutes outside in total, within 24 h and within records', async () => {
    let fired = 0
    const totals = fc.record({
      kind: fc.constant('value' as const),
      temperatureMaxC: fc.constant(8),
      temperatureMinC: fc.constantFrom(null, 2),
      deadbandC: fc.constantFrom(0, 0.5),
      cumulative: fc.oneof(
        fc.record({ minutes: fc.constantFrom(6, 9, 20), window: fc.constant('24h' as const) }),
        fc.record({ minutes: fc.constantFrom(3, 9, 20), window: fc.constant('record' as const) }),
      ),
    })
    const warmer = fc.record({ temperatureC: around([1, 5, 7.6, 9, 9, 9]) })
    const days = series(warmer).map((readings) =>
      // A part of them a day and a half later: totals fall in between.
      readings.map((one, i) =>
        i < readings.length / 2 ? one : { ...one, at: new Date(one.at.getTime() + 30 * hour) },
      ),
    )
    await fc.assert(
      fc.asyncProperty(totals, days, schedules, async (rule, readings, schedule) => {
        const last = readings.at(-1)?.at.getTime() ?? 0
        const records: [number, number][] = [
          [0, last / 2],
          [last / 3, last],
        ]
        fired += await compare(rule, schedule, readings, 1, records)
      }),
      { numRuns: 30 },
    )
    expect(fired).toBeGreaterThan(15)
  }, 120_000)

  test('of silence', async () => {
    let fired = 0
    const silence = fc.record({ kind: fc.constant('noData' as const), afterMinutes: fc.constantFrom(5, 30, 45) })
    await fc.assert(
      fc.asyncProperty(silence, series(values), fc.integer({ min: 1, max: 4 }), async (rule, readings, size) => {
        fired += await compare(rule, null, readings, size)
      }),
      { numRuns: 20 },
    )
    expect(fired).toBeGreaterThan(10)
  }, 120_000)

  test('of a fence, dwelling and passing through', async () => {
    let fired = 0
    const area = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 200 }
    const depot = async (token: string) => {
      const made = await t.call('POST', '/geofence', { token, body: { name: 'Depot', colour: 'red', area } })
      return made.body.payload.id as string
    }
    const fixes = fc.oneof(
      { weight: 3, arbitrary: fc.record({ lat: around([6.49, 6.4985, 6.5, 6.5015, 6.52]), lon: fc.constant(3.4) }) },
      { weight: 1, arbitrary: fc.constant({ temperatureC: 5 }) },
    )
    const dwell = fc.constantFrom(0, 0, 5, 12)
    await fc.assert(
      fc.asyncProperty(
        dwell,
        fc.constantFrom('in', 'out', 'both'),
        series(fixes),
        async (dwellMinutes, direction, readings) => {
          const rule = async (token: string) => ({
            kind: 'fence',
            direction,
            dwellMinutes,
            geofenceIds: [await depot(token)],
          })
          fired += await compare(rule, null, readings)
        },
      ),
      { numRuns: 20 },
    )
    expect(fired).toBeGreaterThan(10)
  }, 120_000)
})

describe('a back-test', () => {
  const warmFor = async (minutes: number[]) => {
    const { company: own, admin, device } = await company()
    const watched = await device({ intervalS: 180, validFrom: new Date('2020-01-01') })
    const start = t.clock.now().getTime()
    t.clock.set(new Date(start + (minutes.at(-1) ?? 0) * minute))
    await pipeline.send(
      watched,
      minutes.map((at, i) => ({ at: new Date(start + at * minute), temperatureC: i % 2 === 0 ? 5 : 9 })),
    )
    return { own, admin, watched, question: { rule: warm, deviceIds: [String(watched.id)], days: 1 } }
  }

  test('says what telling of it would have cost, one message for what opens within a minute', async () => {
    const { own, admin, question } = await warmFor([0, 3, 3.4, 3.8, 6, 9])
    const phone = '+447700900123'
    const raw = [{ phone, channels: ['sms', 'chat'] }, { email: 'someone@example.test' }]
    const plain = await ask(admin.token, { ...question, recipients: raw })
    expect(plain).toMatchObject({ count: 3, chatUnits: 2, mails: 2, progress: 1, cursor: null })
    expect(plain.smsUnits).toBeGreaterThanOrEqual(2)
    await asLogin(t.pool, ({ tx }) =>
      setUnitWeight(tx, { kind: 'sms', country: 'GB' }, 3, new Date('2020-01-01'), new Date('2020-01-01')),
    )
    const weighed = await ask(admin.token, { ...question, recipients: raw })
    expect(weighed).toMatchObject({ smsUnits: 3 * plain.smsUnits, chatUnits: 2 })
    const both = await ask(admin.token, { ...question, recipients: raw, notifyNormal: true })
    expect(both).toMatchObject({ chatUnits: 4, mails: 4 })
    const person = await buildUser(t, { company: own })
    const nobody = await ask(admin.token, { ...question, recipients: [{ userId: person.id, channels: ['sms'] }] })
    expect(nobody).toMatchObject({ count: 3, smsUnits: 0, mails: 0 })
  })
  test('of a fence answers where a stored reading has a text for its accuracy (M3)', async () => {
    const { company: own, admin, device } = await company()
    const watched = await device({ intervalS: 180, validFrom: new Date('2020-01-01') })
    const area = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 200 }
    const fence = await t.call('POST', '/geofence', {
      token: admin.token,
      body: { name: 'Yard', colour: 'red', area },
    })
    const start = t.clock.now().getTime()
    t.clock.set(new Date(start + 9 * minute))
    const fix = (minutes: number, lat: number) => ({ at: new Date(start + minutes * minute), lat, lon: 3.4 })
    await pipeline.send(watched, [fix(0, 6.5), fix(3, 6.5), fix(6, 6.6)])
    await t.pool.query(
      `begin; alter table readings no force row level security;
       update readings set extra = '{"accuracyM": "x"}' where company_id = ${own.companyId};
       alter table readings force row level security; commit`,
    )
    const rule = { kind: 'fence', direction: 'out', geofenceIds: [fence.body.payload.id] }
    const question = { rule, deviceIds: [String(watched.id)], days: 1 }
    expect(await ask(admin.token, question)).toMatchObject({ count: 1, progress: 1 })
  })
  test('refuses devices and people that are not the caller’s, and limits that cross', async () => {
    const { own, question } = await warmFor([0, 3])
    const other = await company()
    const staff = await buildUser(t, { company: own, role: 'staff' })
    const secret = await aDevice(t, { ...own, visibility: 'private' })
    for (const [token, body] of [
      [other.admin.token, question],
      [staff.token, { ...question, deviceIds: [String(secret.id)] }],
      [staff.token, { ...question, recipients: [{ userId: other.admin.id, channels: ['app'] }] }],
      [staff.token, { ...question, rule: { ...warm, temperatureMinC: 9 } }],
      [staff.token, { ...question, cursor: 'made.up' }],
      [staff.token, { ...question, cursor: `${t.clock.now().getTime()}.5.abcdefghijklmnop` }],
      [staff.token, { ...question, days: 91 }],
    ] as const)
      expect((await t.call('POST', '/alarms/backtest', { token, body })).status).toBe(422)
  })
  test('that a newer one of the same person replaces ends with 429', async () => {
    const { admin, question } = await warmFor([0, 3, 6])
    const asked = () => t.call('POST', '/alarms/backtest', { token: admin.token, body: question })
    const answers = await Promise.all([asked(), asked(), asked()])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    expect((await asked()).status).toBe(200)
  })
  test('shows nothing of the time that a lapsed licence hides', async () => {
    const { own, admin, watched, question } = await warmFor([0, 3, 6])
    expect((await ask(admin.token, question)).count).toBe(1)
    const lapsed = new Date(t.clock.now().getTime() - 31 * 24 * hour)
    await inTenant(t.pool, own.companyId, ({ tx }) =>
      tx.updateTable('devices').set({ licence_until: lapsed }).where('id', '=', watched.id).execute(),
    )
    expect((await ask(admin.token, question)).count).toBe(0)
  })
})

test('devices with less than a day of readings in the window are counted: of them nothing can be said', async () => {
  const { admin, device } = await company()
  const [day, now] = [24 * hour, t.clock.now().getTime()]
  const from = new Date(now - 40 * day)
  const hourly = (hours: number, end = now) =>
    Array.from({ length: hours }, (_, n) => ({ at: new Date(end - (hours - n) * hour), temperatureC: 5 }))
  const long = await device({ validFrom: from, readings: hourly(24) })
  const short = await device({ validFrom: from, readings: hourly(23) })
  const old = await device({ validFrom: from, readings: hourly(30, now - 35 * day) })
  const shortOf = async (...of: { id: number }[]) =>
    (await ask(admin.token, { rule: warm, deviceIds: of.map(({ id }) => String(id)) })).short
  expect([await shortOf(long), await shortOf(short), await shortOf(old)]).toEqual([0, 1, 1])
  expect(await shortOf(long, short, old)).toBe(2)
})
