import type { RecordDetails, RecordStats } from '@isotherm/contract/records.ts'
import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import type { LaneScorecard, ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice, setLimits } from '../../../test/device-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { aShipmentPlace } from '../../../test/shipment-factory.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000
const limits = { temperatureMinC: 2, temperatureMaxC: 8 }

type TestDevice = Awaited<ReturnType<typeof aDevice>>

const given = (...devices: TestDevice[]): object[] => devices.map(({ id }) => ({ id: String(id), place: 'air' }))

/** The clock begins at 0 min; a device sends every ten minutes. */
async function scene() {
  const admin = await buildUser(t)
  const { companyId } = admin
  const start = t.clock.now().getTime()
  const at = (minutes: number) => new Date(start + minutes * minute)
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    t.call(method, path, { token: admin.token, ...(body && { body }) })
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await call(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload
  }
  const device = (name: string, more: object = {}) =>
    aDevice(t, { companyId, name, intervalS: 600, validFrom: new Date('2020-01-01'), limits, ...more })
  /** It measures every ten minutes from one minute to another, both included. */
  const measures = async (one: TestDevice, from: number, to: number, temperatureC: number) => {
    const readings = Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, n) => ({
      ...{ at: at(from + n * 10), temperatureC },
    }))
    if (t.clock.now() < at(to)) t.clock.set(at(to))
    await pipeline.send(one, readings)
  }
  const started = async (devices: TestDevice[], more: object = {}): Promise<string> => {
    const leg = {
      mode: 'sea',
      fromName: 'Cape Town',
      toName: 'Rotterdam',
      carrierName: 'MSC',
      etd: at(5).toISOString(),
    }
    const { id } = await ask('POST', '/export/shipments', {
      ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
      ...{ legs: [leg], devices: given(...devices), ...more },
    })
    await ask('PATCH', `/export/shipments/${id}`, { state: 'ongoing' })
    return id
  }
  const give = async (id: string, devices: object[]) =>
    call('PATCH', `/export/shipments/${id}`, { version: (await details(id)).version, devices })
  const change = (id: string, minutes: number, ...devices: TestDevice[]) => {
    t.clock.set(at(minutes))
    return give(id, given(...devices))
  }
  const has = async (id: string, minutes: number, ...devices: TestDevice[]) => {
    const answer = await change(id, minutes, ...devices)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const complete = (id: string, minutes: number) => {
    t.clock.set(at(minutes))
    return ask('PATCH', `/export/shipments/${id}`, { state: 'completed' })
  }
  const details = (id: string): Promise<ShipmentDetails> => ask('GET', `/export/shipments/${id}`)
  const recordOf = async (id: string): Promise<RecordDetails> =>
    ask('GET', `/enterprise/record/${(await details(id)).recordId}`)
  const statsOf = async (id: string): Promise<RecordStats> =>
    ask('GET', `/enterprise/record/${(await details(id)).recordId}/stats`)
  const linkOf = async (id: string) => {
    const { url } = await ask('POST', `/export/shipments/${id}/links`, { label: 'Agent' })
    const token = url.split('#')[1]
    const answer = await t.app.inject({ method: 'POST', url: '/app/api/v1/shipment-link', payload: { token } })
    return JSON.parse(answer.payload).payload
  }
  const listed = async (id: string) =>
    (await ask('GET', '/export/shipments')).data.find((one: { id: string }) => one.id === id)
  return { at, ask, device, measures, started, give, change, has, complete, details, recordOf, statsOf, linkOf, listed }
}

/** A device is with the goods from 0 to 240 min; another one lies in a warm office at 25 °C, and joins at 125 min. */
async function joined(officeC = 25) {
  const s = await scene()
  const [first, added] = [await s.device('First'), await s.device('Added')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.measures(added, -60, 120, officeC)
  await s.has(id, 125, first, added)
  await s.measures(first, 130, 240, 5)
  await s.measures(added, 130, 240, 5)
  return { ...s, id, first, added }
}

test('a device that joins under way leaves verdict, list, link, record and figures in range, whatever it measured before', async () => {
  const s = await joined()
  const { id, at } = s
  expect((await s.details(id)).verdict).toBe('inRange')
  expect(await s.listed(id)).toMatchObject({ verdict: 'inRange', deviceCount: 2 })
  expect((await s.details(id)).devices.map(({ name, joinedAt }) => [name, joinedAt])).toEqual([
    ['Added', at(125).toISOString()],
    ['First', null],
  ])
  expect((await s.linkOf(id)).conditions).toMatchObject({ verdict: 'inRange', worstC: 5 })
  const stats = await s.statsOf(id)
  expect(stats).toMatchObject({ verdict: 'inRange', unattended: [] })
  expect(
    stats.devices.map(({ name, temperature }) => [name, temperature.max?.value, temperature.excursions.count]),
  ).toEqual([
    ['Added', 5, 0],
    ['First', 5, 0],
  ])
  const record = await s.recordOf(id)
  expect(record.excursions).toBe(0)
  expect(record.devices.map(({ name, joinedAt }) => [name, joinedAt])).toEqual([
    ['Added', at(125).toISOString()],
    ['First', null],
  ])
  const conditions: ShipmentConditions = await s.ask('GET', `/export/shipments/${id}/conditions`)
  expect(
    conditions[0]?.devices.map(({ name, maxC, readings, outsideMs }) => [name, maxC, readings, outsideMs]),
  ).toEqual([
    ['Added', 5, 12, 0],
    ['First', 5, 25, 0],
  ])
  const custody: ShipmentCustody = await s.ask('GET', `/export/shipments/${id}/custody`)
  expect([custody.excursions, custody.totals.map(({ outsideMs }) => outsideMs)]).toEqual([[], [0]])
  const chart = await s.ask('GET', `/enterprise/record/${record.id}/chart?measure=temperature`)
  expect(Math.max(...chart.band.max)).toBe(5)
})

test('what a device measures out of range after it joined counts everywhere', async () => {
  const s = await joined()
  await s.measures(s.added, 250, 270, 12)
  await s.measures(s.first, 250, 270, 5)
  expect((await s.details(s.id)).verdict).toBe('outOfRange')
  expect((await s.linkOf(s.id)).conditions).toMatchObject({ verdict: 'outOfRange', worstC: 12 })
  expect((await s.statsOf(s.id)).verdict).toBe('outOfRange')
  expect((await s.recordOf(s.id)).excursions).toBe(1)
})

test('warm air that a device still measures after it joined is of the goods', async () => {
  const s = await scene()
  const [first, added] = [await s.device('First'), await s.device('Added')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.measures(added, 0, 120, 25)
  await s.has(id, 125, first, added)
  await s.measures(added, 130, 150, 12)
  await s.measures(first, 130, 150, 5)
  expect((await s.details(id)).verdict).toBe('outOfRange')
  const stats = await s.statsOf(id)
  const own = stats.devices.find(({ name }) => name === 'Added')?.temperature
  expect([own?.max?.value, own?.excursions.count, own?.count]).toEqual([12, 1, 3])
})

test('a scorecard counts a device from its joining', async () => {
  const s = await joined()
  await s.complete(s.id, 245)
  const period = `from=${s.at(-60).toISOString()}&to=${s.at(300).toISOString()}`
  const lanes: LaneScorecard[] = await s.ask('GET', `/export/scorecards?by=lane&${period}`)
  expect(lanes).toMatchObject([{ shipments: 1, excursions: 0, outMs: 0 }])
})

test('the budget of a record uses up what was measured after the joining alone', async () => {
  const s = await scene()
  const [first, added] = [await s.device('First'), await s.device('Added')]
  const id = await s.started([first], { budget: { aboveC: 8, aboveMinutes: 600, neverAboveC: 20 } })
  await s.measures(first, 0, 120, 5)
  await s.measures(added, 0, 120, 25)
  await s.has(id, 125, first, added)
  await s.measures(added, 130, 160, 5)
  const { budget } = await s.recordOf(id)
  expect(budget).toMatchObject({ above: { usedMs: 0 }, neverAbove: { brokenAt: null } })
})

test('a shipment that got its first device under way has a record from its start, and both say that some of its time was not measured', async () => {
  const s = await scene()
  const late = await s.device('Late')
  const id = await s.started([])
  await s.measures(late, 0, 60, 25)
  await s.has(id, 65, late)
  await s.measures(late, 70, 180, 5)
  const record = await s.recordOf(id)
  expect(record.startAt).toBe((await s.details(id)).startedAt)
  expect((await s.details(id)).verdict).toBe('incomplete')
  expect((await s.linkOf(id)).conditions).toMatchObject({ verdict: 'incomplete', worstC: 5 })
  expect(await s.statsOf(id)).toMatchObject({
    ...{ verdict: 'incomplete', unattended: [{ from: s.at(0).toISOString(), to: s.at(65).toISOString() }] },
    devices: [{ temperature: { verdict: 'inRange', excursions: { count: 0 } } }],
  })
})

test('a signature covers what a device measured from its joining on, and no reading of before', async () => {
  const s = await joined()
  await s.complete(s.id, 245)
  const record = await s.recordOf(s.id)
  await s.ask('POST', `/enterprise/record/${record.id}/signatures`, {
    ...{ meaning: 'approved', reason: 'In range', password, contentSha256: record.contentSha256 },
  })
  const changed = async () => (await s.recordOf(s.id)).signatures.at(-1)?.changed
  await pipeline.send(s.added, [{ at: s.at(65), temperatureC: 25 }])
  expect(await changed()).toEqual([])
  await pipeline.send(s.added, [{ at: s.at(135), temperatureC: 5 }])
  expect(await changed()).toEqual(['readings'])
})

/** A device without limits until it gets some. */
async function limitedFrom(minutes: number | null) {
  const s = await scene()
  const device = await s.device('Bare', { limits: undefined })
  const id = await s.started([device])
  await s.measures(device, 0, 120, 5)
  if (minutes !== null) {
    await setLimits(t, device, limits, s.at(minutes))
    await s.measures(device, 130, 240, 5)
  }
  return { ...s, id, bare: device }
}

test('limits that came on the way leave the evidence incomplete, in lists as in the record', async () => {
  for (const [minutes, verdict] of [
    [null, 'noLimits'],
    [125, 'incomplete'],
    [-10, 'inRange'],
  ] as const) {
    const s = await limitedFrom(minutes)
    expect([(await s.listed(s.id)).verdict, (await s.statsOf(s.id)).verdict, minutes]).toEqual([
      ...[verdict, verdict, minutes],
    ])
  }
})

test('a device without limits among others in range leaves the evidence incomplete, in lists as in the record', async () => {
  const s = await scene()
  const [good, bare] = [await s.device('Good'), await s.device('Bare', { limits: undefined })]
  const id = await s.started([good, bare])
  await s.measures(good, 0, 240, 5)
  await s.measures(bare, 0, 240, 5)
  expect([(await s.listed(id)).verdict, (await s.statsOf(id)).verdict]).toEqual(['incomplete', 'incomplete'])
})

const faultsOf = (answer: { status: number; body: { fields?: object } }) => [
  answer.status,
  Object.keys(answer.body.fields ?? {}),
]

test('a device that is taken off under way keeps what it measured until then, is free, and counts no more', async () => {
  const s = await scene()
  const [first, lent] = [await s.device('First'), await s.device('Lent')]
  const id = await s.started([first, lent])
  await s.measures(first, 0, 120, 5)
  await s.measures(lent, 0, 120, 6)
  await s.has(id, 125, first)
  await s.measures(first, 130, 240, 5)
  await s.measures(lent, 130, 240, 25)
  const details = await s.details(id)
  expect([details.verdict, details.deviceCount, details.hiddenDevices]).toEqual(['inRange', 1, 0])
  expect(details.devices.map(({ name, leftAt }) => [name, leftAt])).toEqual([
    ['First', null],
    ['Lent', s.at(125).toISOString()],
  ])
  expect(details.events.map(({ kind }) => kind)).toContain('deviceRemoved')
  expect((await s.linkOf(id)).conditions).toMatchObject({ verdict: 'inRange', worstC: 6 })
  const stats = await s.statsOf(id)
  expect(stats.verdict).toBe('inRange')
  expect(
    stats.devices.map(({ name, period, temperature }) => [name, period.to, temperature.count, temperature.max?.value]),
  ).toEqual([
    ['First', s.at(240).toISOString(), 25, 5],
    ['Lent', s.at(125).toISOString(), 13, 6],
  ])
  expect((await s.recordOf(id)).devices.map(({ leftAt }) => leftAt)).toEqual([null, s.at(125).toISOString()])
  const other = await s.started([lent])
  expect((await s.details(other)).devices).toMatchObject([{ name: 'Lent', joinedAt: null, leftAt: null }])
  await s.complete(id, 245)
  expect((await s.details(id)).devices.map(({ isLeftBehind }) => isLeftBehind)).toEqual([true, false])
})

test('what a device measured out of range before it was taken off stays', async () => {
  const s = await scene()
  const [first, warm] = [await s.device('First'), await s.device('Warm')]
  const id = await s.started([first, warm])
  await s.measures(first, 0, 120, 5)
  await s.measures(warm, 0, 120, 12)
  await s.has(id, 125, first)
  await s.measures(first, 130, 240, 5)
  await s.measures(warm, 130, 240, 25)
  expect([(await s.listed(id)).verdict, (await s.statsOf(id)).verdict]).toEqual(['outOfRange', 'outOfRange'])
  const conditions: ShipmentConditions = await s.ask('GET', `/export/shipments/${id}/conditions`)
  expect(conditions[0]?.devices.map(({ name, maxC, outsideMs }) => [name, maxC, outsideMs / minute])).toEqual([
    ['First', 5, 0],
    ['Warm', 12, 125],
  ])
})

test('one device takes the place of another in one edit, and the goods were measured all the time', async () => {
  const s = await scene()
  const [first, next] = [await s.device('First'), await s.device('Next')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.measures(next, 0, 120, 25)
  await s.has(id, 125, next)
  await s.measures(next, 130, 240, 5)
  expect([(await s.listed(id)).verdict, (await s.statsOf(id)).verdict]).toEqual(['inRange', 'inRange'])
})

test('goods that all devices have left are not proven in range', async () => {
  const s = await scene()
  const only = await s.device('Only')
  const id = await s.started([only])
  await s.measures(only, 0, 120, 5)
  await s.has(id, 125)
  t.clock.set(s.at(200))
  const span = { from: s.at(125).toISOString(), to: s.at(200).toISOString() }
  expect((await s.details(id)).verdict).toBe('incomplete')
  expect(await s.statsOf(id)).toMatchObject({ verdict: 'incomplete', unattended: [span] })
  expect((await s.ask('GET', '/export/shipments/summary')).unwatched).toBe(1)
})

test('a device that was taken off does not come back to the same shipment, and a probe in fruit is not taken off', async () => {
  const s = await scene()
  const [first, probe] = [await s.device('First'), await s.device('Probe')]
  const id = await s.started([first], { devices: [...given(first), { id: String(probe.id), place: 'pulp1' }] })
  expect(faultsOf(await s.change(id, 10, first))).toEqual([422, ['devices']])
  const kept = [{ id: String(probe.id), place: 'pulp1' }]
  expect((await s.give(id, kept)).status).toBe(200)
  expect(faultsOf(await s.give(id, [...kept, ...given(first)]))).toEqual([422, ['devices.1.id']])
})
