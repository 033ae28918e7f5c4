import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'

const t = describeApp()
describePipeline(t)

const minute = 60_000
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const get = async <T>(user: TestUser, path: string): Promise<T> => {
  const { status, body } = await t.call('GET', path, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}

/** Too warm from 330 to 270 and from 90 to 45 minutes ago. */
const readings = () =>
  Array.from({ length: 67 }, (_, index) => {
    const minutes = 360 - index * 5
    return {
      at: ago(minutes),
      temperatureC: (minutes <= 330 && minutes > 270) || (minutes <= 90 && minutes > 45) ? 12 : 5,
    }
  })

/** A shipment of six hours by road and sea: it left after one, was at the terminal an hour later, sailed another one later, and arrived an hour ago. */
async function scene(visibility: 'public' | 'private' = 'public') {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const staff = await buildUser(t, { company: { companyId }, role: 'staff' })
  const device = await aDevice(t, {
    ...{ companyId, visibility, name: 'Probe', intervalS: 300, readings: readings() },
    limits: { temperatureMinC: 2, temperatureMaxC: 8 },
  })
  const shipment = await aShipment(t, admin, {
    state: 'completed',
    devices: [{ device_id: device.id, place: 'pulp1' }],
    legs: [
      { mode: 'road', carrier_name: 'Cape Haulage', to_name: 'Cape Town', atd: ago(300), ata: ago(240) },
      { mode: 'sea', vessel_name: 'Orion', atd: ago(180), ata: ago(60) },
    ],
    more: { started_at: ago(360), ended_at: ago(30) },
  })
  const [road, sea] = shipment.legs
  const events = [
    ['departed', 300, road?.id, null, 'geofence'],
    ['arrived', 240, road?.id, 'Cape Town', 'person'],
    ['departed', 200, sea?.id, 'Cape Town', 'person'],
    ['arrived', 60, sea?.id, 'Rotterdam', 'person'],
  ] as const
  const ids: string[] = []
  for (const [kind, minutes, leg_id = null, place_name, source] of events)
    ids.push(
      await inCompany(t, companyId, (ctx) =>
        insertShipmentEvent(ctx, {
          ...{ shipment_id: shipment.id, kind, leg_id, place_name, source, occurred_at: ago(minutes) },
          ...{ occurred_zone: 'UTC', recorded_at: ago(0) },
        }),
      ),
    )
  // The departure was told for a wrong time.
  await inCompany(t, companyId, (ctx) =>
    insertShipmentEvent(ctx, {
      ...{
        shipment_id: shipment.id,
        kind: 'departed',
        leg_id: sea?.id ?? null,
        source: 'person',
        occurred_at: ago(180),
      },
      ...{ occurred_zone: 'UTC', recorded_at: ago(0), corrects: ids[2] ?? null },
    }),
  )
  return { admin, staff, shipment, device }
}

test('every minute of a shipment and of its excursions is of the one who held the goods', async () => {
  const { admin, shipment } = await scene()
  const custody = await get<ShipmentCustody>(admin, `/export/shipments/${shipment.id}/custody`)
  expect(
    custody.stretches.map(({ holder: { kind, name }, from, to, basis, devices: [device] }) => [
      ...[kind, name, basis, (Date.parse(to) - Date.parse(from)) / minute],
      ...[device?.outsideMs && device.outsideMs / minute, device?.maxC],
    ]),
  ).toEqual([
    ['origin', expect.stringContaining('Pack house'), 'start', 60, 30, 12],
    ['haulier', 'Cape Haulage', 'departed', 60, 30, 12],
    ['terminal', 'Cape Town', 'arrived', 60, 0, 5],
    ['carrier', 'Orion', 'departed', 120, 30, 12],
    ['terminal', 'Rotterdam', 'arrived', 30, 15, 12],
  ])
  expect(
    custody.totals.map(({ holder, heldMs, outsideMs }) => [holder.name, heldMs / minute, outsideMs / minute]),
  ).toEqual([
    [expect.any(String), 60, 30],
    ['Cape Haulage', 60, 30],
    ['Cape Town', 60, 0],
    ['Orion', 120, 30],
    ['Rotterdam', 30, 15],
  ])
  expect(custody.excursions.map(({ shares }) => shares.map(({ holder, ms }) => [holder.kind, ms / minute]))).toEqual([
    [
      ['origin', 30],
      ['haulier', 30],
    ],
    [
      ['carrier', 30],
      ['terminal', 15],
    ],
  ])
  const [whole] = await get<ShipmentConditions>(admin, `/export/shipments/${shipment.id}/conditions`)
  const outside = custody.totals.reduce((sum, { outsideMs }) => sum + outsideMs, 0)
  expect(outside).toBe(whole?.devices[0]?.outsideMs)
})

test('one who may not see a private device is told the holders, and nothing of what it measured', async () => {
  const { staff, shipment } = await scene('private')
  const custody = await get<ShipmentCustody>(staff, `/export/shipments/${shipment.id}/custody`)
  expect(custody.hiddenDevices).toBe(1)
  expect(custody.stretches).toHaveLength(5)
  expect(custody.stretches.flatMap(({ devices }) => devices)).toEqual([])
  expect([custody.excursions, custody.totals.map(({ outsideMs }) => outsideMs)]).toEqual([[], [0, 0, 0, 0, 0]])
})

test('before the start there is no custody', async () => {
  const admin = await buildUser(t)
  const shipment = await aShipment(t, admin)
  expect(await get<null>(admin, `/export/shipments/${shipment.id}/custody`)).toBeNull()
})
