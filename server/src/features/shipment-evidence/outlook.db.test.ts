import type { BudgetOutlook } from '@isotherm/contract/shipment-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { aShipment, aShipmentPlace, type MadePlace } from '../../../test/shipment-factory.ts'

const t = describeApp()
describePipeline(t)

const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(t.clock.now().getTime() + ms)
const budget = { aboveC: 4, aboveMinutes: 12 * 60 }

/** Hourly for ten days: at 2 °C, and at 6 °C for so many hours from the fourth day on. */
const readings = (warmHours: number, days = 10) =>
  Array.from({ length: days * 24 }, (_, n) => ({
    at: at(n * hour - days * day),
    temperatureC: n >= 96 && n < 96 + warmHours ? 6 : 2,
  }))

interface Options {
  warmHours?: number
  days?: number
  visibility?: 'public' | 'private'
  budget?: object | null
  /** From now, days; null: no arrival is planned. */
  arrivesIn?: number | null
}

async function company() {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  return { companyId, admin, origin, destination }
}
type Company = { companyId: number; admin: TestUser; origin: MadePlace; destination: MadePlace }

/** A shipment that departed when its first reading was measured, by the calls of a person. */
async function underWay({ companyId, admin, origin, destination }: Company, given: Options = {}): Promise<string> {
  const { warmHours = 0, days = 10, visibility = 'public', arrivesIn = 10 } = given
  const probe = await aDevice(t, {
    ...{
      companyId,
      visibility,
      intervalS: 3600,
      validFrom: at(-(days + 1) * day),
      readings: readings(warmHours, days),
    },
  })
  const made = await t.call('POST', '/export/shipments', {
    token: admin.token,
    body: {
      ...{ logistics: 'internal', product: 'Oranges', originId: origin.id, destinationId: destination.id },
      ...{
        budget: given.budget === undefined ? budget : given.budget,
        devices: [{ id: String(probe.id), place: 'pulp1' }],
      },
      legs: [
        {
          ...{ mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam', etd: at(-days * day).toISOString() },
          eta: arrivesIn === null ? null : at(arrivesIn * day).toISOString(),
        },
      ],
    },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { id, legs } = made.body.payload
  const departed = await t.call('POST', `/export/shipments/${id}/milestones`, {
    token: admin.token,
    body: { kind: 'departed', legId: legs[0].id, at: at(-days * day).toISOString() },
  })
  expect(departed.status, JSON.stringify(departed.body)).toBe(200)
  return id
}

const outlookOf = async (user: TestUser, id: string): Promise<BudgetOutlook | null> => {
  const { status, body } = await t.call('GET', `/export/shipments/${id}/outlook`, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}

test('a shipment that used a little arrives within its budget, one that used much is at risk while its last days were calm', async () => {
  const c = await company()
  const calm = await outlookOf(c.admin, await underWay(c, { warmHours: 2 }))
  expect(calm).toMatchObject({ state: 'within', arrival: { trips: 0, timezone: 'Europe/Amsterdam' } })
  expect(calm?.reasons).toContain('ownUse')
  expect(calm?.sides).toEqual([
    { ...{ side: 'above', limitC: 4, allowedMs: 12 * hour, leftMs: 10 * hour }, use: expect.any(Object) },
  ])
  expect(calm?.sides[0]?.use?.highMs).toBeCloseTo(2 * hour, -6)
  expect(await outlookOf(c.admin, await underWay(c, { warmHours: 8 }))).toMatchObject({ state: 'atRisk' })
  expect(await outlookOf(c.admin, await underWay(c, { warmHours: 14 }))).toMatchObject({
    state: 'beyond',
    reasons: ['spent'],
  })
})

test('legs between the same places say when it arrives, and shipments of the lane how much it will use', async () => {
  const c = await company()
  for (const late of [1, 2, 3, 4]) {
    const probe = await aDevice(t, {
      ...{ companyId: c.companyId, intervalS: 3600, validFrom: at(-11 * day), readings: readings(72) },
    })
    await aShipment(t, c.admin, {
      ...{
        state: 'completed',
        origin: c.origin,
        destination: c.destination,
        devices: [{ device_id: probe.id, place: 'pulp1' }],
      },
      legs: [{ etd: at(-10 * day), atd: at(-10 * day), eta: at(-(late + 1) * day), ata: at(-day) }],
      more: { started_at: at(-10 * day), ended_at: at(-hour) },
    })
  }
  const outlook = await outlookOf(c.admin, await underWay(c, { warmHours: 1 }))
  expect(outlook).toMatchObject({ state: 'atRisk', pastShipments: 4, arrival: { trips: 4 } })
  expect(outlook?.reasons).toEqual(expect.arrayContaining(['ownUse', 'history']))
  const [earliest, latest] = [outlook?.arrival?.earliest, outlook?.arrival?.latest].map((one) => Date.parse(one ?? ''))
  expect([(earliest ?? 0) - at(10 * day).getTime(), (latest ?? 0) - at(10 * day).getTime()]).toEqual([
    1.6 * day,
    3.4 * day,
  ])
})

test('an outlook is unknown where data does not carry it, and nobody has one of what is not under way', async () => {
  const c = await company()
  const told = async (given: Options) => {
    const outlook = await outlookOf(c.admin, await underWay(c, given))
    return [outlook?.state, ...(outlook?.reasons ?? [])]
  }
  expect(await told({ budget: null })).toEqual(['unknown', 'noBudget'])
  expect(await told({ arrivesIn: null })).toEqual(['unknown', 'noArrival'])
  expect(await told({ budget: { neverAboveC: 20 } })).toEqual(['unknown', 'boundsOnly'])
  const pending = await aShipment(t, c.admin)
  expect(await outlookOf(c.admin, pending.id)).toBeNull()
})

test('one who does not see every device hears nothing of the budget', async () => {
  const c = await company()
  const staff = await buildUser(t, { company: { companyId: c.companyId }, role: 'staff' })
  const id = await underWay(c, { visibility: 'private' })
  expect(await outlookOf(staff, id)).toMatchObject({ state: 'unknown', reasons: ['hidden'], budget: null, sides: [] })
})
