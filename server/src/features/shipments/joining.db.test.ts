import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import type { LaneScorecard, ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { setLimits } from '../../../test/device-factory.ts'
import { password } from '../../../test/factories.ts'
import { joiningScene, limits } from '../../../test/joining-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import { unpacked } from '../../../test/unpacked.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const scene = () => joiningScene(t, pipeline)

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

test('signature and proof cover what a device measured from its joining on, and no reading of before', async () => {
  const s = await joined()
  await s.complete(s.id, 245)
  const record = await s.recordOf(s.id)
  await s.ask('POST', `/enterprise/record/${record.id}/signatures`, {
    ...{ meaning: 'approved', reason: 'In range', password, contentSha256: record.contentSha256 },
  })
  const { statement } = await s.ask('GET', `/enterprise/record/${record.id}/proof`)
  expect(statement.devices.map(({ name, period }: { name: string; period?: object }) => [name, period])).toEqual([
    ['Added', { from: s.at(130).toISOString(), to: s.at(245).toISOString() }],
    ['First', undefined],
  ])
  const changed = async () => (await s.recordOf(s.id)).signatures.at(-1)?.changed
  await pipeline.send(s.added, [{ at: s.at(65), temperatureC: 25 }])
  expect(await changed()).toEqual([])
  await pipeline.send(s.added, [{ at: s.at(135), temperatureC: 5 }])
  expect(await changed()).toEqual(['readings'])
})

test('what counts of a device begins by the interval of its joining, also where it is set otherwise later', async () => {
  const s = await scene()
  const [first, added] = [await s.device('First'), await s.device('Added')]
  const id = await s.started([first])
  await s.measures(first, 0, 120, 5)
  await s.has(id, 125, first, added)
  await s.measures(added, 145, 235, 5)
  await s.measures(first, 130, 240, 5)
  await s.complete(id, 245)
  const record = await s.recordOf(id)
  await s.ask('POST', `/enterprise/record/${record.id}/signatures`, {
    ...{ meaning: 'approved', reason: 'In range', password, contentSha256: record.contentSha256 },
  })
  const told = async () => ({
    since: (await s.statsOf(id)).devices.find(({ name }) => name === 'Added')?.period.from,
    changed: (await s.recordOf(id)).signatures.at(-1)?.changed,
    sha256: (await s.recordOf(id)).contentSha256,
  })
  const before = await told()
  expect(before).toMatchObject({ since: s.at(145).toISOString(), changed: [] })
  const { companyId } = s.admin
  await t.change(companyId, 'update devices set interval_s = 180 where id = $1', [added.id])
  await t.change(
    companyId,
    "update device_intervals set valid_from = $2 where device_id = $1 and valid_from > '-infinity'",
    [added.id, s.at(300)],
  )
  t.clock.set(s.at(310))
  expect(await told()).toEqual(before)
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

test('a claim pack and the report of a record have a device from its joining on, and say when that was', async () => {
  const s = await joined()
  await s.complete(s.id, 245)
  const claim = await s.ask('POST', '/export/shipments/download-report', {
    ...{ shipmentId: s.id, kind: 'claim', format: 'zip', locale: 'en' },
  })
  const files = unpacked(await s.fileOf(`/export/shipment-reports/${claim.id}/file`))
  const lines = files.get('readings.csv')?.toString().trim().split('\r\n') ?? []
  expect(lines.filter((line) => line.includes('Added'))).toHaveLength(12)
  const { id } = await s.recordOf(s.id)
  const report = await s.ask('POST', `/enterprise/record/${id}/report`, { locale: 'en' })
  const text = await textOf(await s.fileOf(`/enterprise/record-reports/${report.id}/file`), 'application/pdf')
  expect(text).toMatch(/joined/)
  expect(text).not.toContain('25.0')
})
