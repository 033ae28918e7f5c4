import type { LaneScorecard } from '@isotherm/contract/shipment-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { aShipment, aShipmentPlace, type ShipmentOptions } from '../../../test/shipment-factory.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'

const t = describeApp()
describePipeline(t)

const hour = 3_600_000
const day = 24 * hour
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms)

/** Two shipments of one lane, in time and three days late, by two lines; one of another lane under way; one of long ago. */
async function scene() {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const staff = await buildUser(t, { company: { companyId }, role: 'staff' })
  const origin = await aShipmentPlace(t, admin, { name: 'Citrusdal' })
  const rotterdam = await aShipmentPlace(t, admin, { kind: 'destination', name: 'Rotterdam' })
  const felixstowe = await aShipmentPlace(t, admin, { kind: 'destination', name: 'Felixstowe' })
  const probe = await aDevice(t, {
    ...{
      companyId,
      visibility: 'private',
      intervalS: 3600,
      validFrom: ago(220 * hour),
      limits: { temperatureMinC: 0, temperatureMaxC: 4 },
    },
    readings: Array.from({ length: 101 }, (_, n) => ({
      at: ago((200 - n) * hour),
      temperatureC: n >= 20 && n < 40 ? 9 : 2,
    })),
  })
  const made = (more: ShipmentOptions) =>
    aShipment(t, admin, { state: 'completed', origin, destination: rotterdam, ...more })
  const first = await made({
    devices: [{ device_id: probe.id, place: 'pulp1' }],
    legs: [{ carrier_name: 'Northern Line', atd: ago(200 * hour), ata: ago(110 * hour), eta: ago(110 * hour) }],
    more: { started_at: ago(200 * hour), ended_at: ago(100 * hour) },
  })
  await made({
    legs: [
      { carrier_name: 'Southern', etd: ago(31 * day), rolled_at: ago(31 * day) },
      { carrier_name: 'northern line', atd: ago(30 * day), ata: ago(13 * day), eta: ago(16 * day) },
    ],
    more: { started_at: ago(30 * day), ended_at: ago(12 * day) },
  })
  await made({
    ...{ state: 'ongoing', destination: felixstowe, legs: [{ carrier_name: 'Southern', atd: ago(day) }] },
    more: { started_at: ago(day) },
  })
  await made({ more: { started_at: ago(200 * day), ended_at: ago(180 * day) } })
  const [leg] = first.legs
  for (const [kind, ms] of [
    ['gateIn', 210 * hour],
    ['fullOut', 104 * hour],
  ] as const)
    await inCompany(t, companyId, (ctx) =>
      insertShipmentEvent(ctx, {
        ...{ shipment_id: first.id, kind, leg_id: leg?.id ?? null, source: 'person', occurred_at: ago(ms) },
        ...{ occurred_zone: 'UTC', recorded_at: ago(0) },
      }),
    )
  await inCompany(t, companyId, ({ tx }) =>
    tx
      .insertInto('cold_treatments')
      .values({
        ...{
          company_id: companyId,
          shipment_id: first.id,
          protocol_id: 'us-t107-a',
          protocol: '{}',
          updated_at: ago(0),
        },
        ...{ chosen_at: ago(0), chosen_by_name: 'Somebody', clock: JSON.stringify({ state: 'proven' }) },
      })
      .execute(),
  )
  return { admin, staff }
}

const cardsOf = async (user: TestUser, query: string): Promise<LaneScorecard[]> => {
  const { status, body } = await t.call('GET', `/export/scorecards?${query}`, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}

test('lanes are told by punctuality, time out of range, stays at ports and treatments of the period', async () => {
  const { admin, staff } = await scene()
  const [rotterdam, felixstowe, ...more] = await cardsOf(admin, 'by=lane')
  expect(more).toEqual([])
  expect(rotterdam).toMatchObject({
    ...{ name: 'Citrusdal – Rotterdam', shipments: 2, arrived: 2, onTime: 1, onTimePct: 50, lateDays: 3, rolled: 1 },
    ...{ hours: 100, excursions: 1, outMs: 20 * hour, coveredPct: 100, outPct: 20, stays: 2, treatments: 1, proven: 1 },
  })
  // Ten hours before the first departure, six after its arrival; the end of the other stay is not known.
  expect(rotterdam?.dwellMs).toBe(8 * hour)
  expect(felixstowe).toMatchObject({ shipments: 1, arrived: 0, onTimePct: null, lateDays: null, dwellMs: null })
  const [seen] = await cardsOf(staff, 'by=lane')
  expect(seen).toMatchObject({ shipments: 2, hours: 0, outMs: 0, coveredPct: null, outPct: null, treatments: 0 })
  const long = await cardsOf(admin, `by=lane&from=${ago(210 * day).toISOString()}&to=${ago(150 * day).toISOString()}`)
  expect(long.map(({ shipments }) => shipments)).toEqual([1])
})

test('a carrier is told by its own legs, however its name is written, those that were rolled over among them', async () => {
  const { admin } = await scene()
  const cards = await cardsOf(admin, 'by=carrier')
  expect(
    cards.map(({ id, shipments, arrived, onTime, rolled, hours }) => [id, shipments, arrived, onTime, rolled, hours]),
  ).toEqual([
    ['northern line', 2, 2, 1, 0, 90],
    ['southern', 2, 0, 0, 1, 0],
  ])
})

test('silence counts neither as in range nor as out of it', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const range = { companyId, intervalS: 3600, validFrom: ago(220 * hour), limits: { temperatureMaxC: 4 } }
  const warm = (n: number) => ({ at: ago((100 - n) * hour), temperatureC: n < 10 ? 9 : 2 })
  // One tells for 40 of the 100 hours, and once more at the end: its last reading before the silence holds for three intervals. One never tells.
  const partly = await aDevice(t, { ...range, readings: [...Array.from({ length: 38 }, (_, n) => warm(n)), warm(100)] })
  const mute = await aDevice(t, range)
  const made = (id: number) =>
    aShipment(t, admin, {
      ...{ state: 'completed', devices: [{ device_id: id, place: 'air' }] },
      legs: [{ atd: ago(100 * hour) }],
      more: { started_at: ago(100 * hour), ended_at: ago(0) },
    })
  await made(partly.id)
  const cardOf = async () => (await cardsOf(admin, 'by=carrier'))[0]
  const card = await cardOf()
  expect(card?.outMs).toBe(10 * hour)
  expect(card?.coveredPct).toBeGreaterThan(38)
  expect(card?.coveredPct).toBeLessThan(42)
  expect(card?.outPct).toBeCloseTo((10 / (card?.coveredPct ?? 0)) * 100, 0)
  await made(mute.id)
  const both = await cardOf()
  expect(both).toMatchObject({ hours: 200, outPct: card?.outPct })
  expect(both?.coveredPct).toBeCloseTo((card?.coveredPct ?? 0) / 2, 0)
})

test('the scorecards leave as a CSV by those who may export, and the trail says so', async () => {
  const { admin } = await scene()
  const { status, body } = await t.call('GET', '/export/scorecards/export?by=lane', { token: admin.token })
  expect(status).toBe(200)
  expect(String(body).split(/\r?\n/)[1]).toMatch(/^"?Citrusdal – Rotterdam"?,2,2,1,50,3,1,100,1,1200,100,20,/)
  const acts = await t.rows(
    `select action from audit_log where company_id = ${admin.companyId} order by seq desc limit 1`,
  )
  expect(acts).toEqual([{ action: 'claims.scorecardsExported' }])
})
