import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { aShipment } from '../../../test/shipment-factory.ts'

const t = describeApp()
describePipeline(t)
const minutesAgo = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000)

test('the map tells which shipments are out of range now, to those who may see the device', async () => {
  const admin = await buildUser(t)
  const { companyId } = admin
  const staff = await buildUser(t, { company: { companyId }, role: 'staff' })
  const carrying = async (celsius: number[], more: object = {}) => {
    const device = await aDevice(t, {
      ...{ companyId, validFrom: minutesAgo(300), limits: { temperatureMinC: 2, temperatureMaxC: 8 }, ...more },
      readings: celsius.map((temperatureC, n) => ({ at: minutesAgo((celsius.length - n) * 3), temperatureC })),
    })
    return aShipment(t, admin, { state: 'ongoing', devices: [{ device_id: device.id, place: 'air' }] })
  }
  const warm = await carrying([5, 11])
  const cold = await carrying([5, -1])
  const back = await carrying([11, 5])
  const hidden = await carrying([5, 11], { visibility: 'private' })
  const sidesFor = async (token: string) => {
    const { body } = await t.call('GET', '/export/shipments/map', { token })
    const sides = new Map<string, string | null>(
      body.payload.shipments.map(({ id, outside }: { id: string; outside: string | null }) => [id, outside]),
    )
    return [warm, cold, back, hidden].map(({ id }) => sides.get(id))
  }
  expect(await sidesFor(admin.token)).toEqual(['above', 'below', null, 'above'])
  expect(await sidesFor(staff.token)).toEqual(['above', 'below', null, null])
})

test('a row of the list and a line of the CSV tell the countries from and to', async () => {
  const admin = await buildUser(t)
  await aShipment(t, admin)
  const list = await t.call('GET', '/export/shipments', { token: admin.token })
  expect(list.body.payload.data).toMatchObject([{ originCountry: 'ZA', destinationCountry: 'NL' }])
  const { body } = await t.call('GET', '/export/shipments/export', { token: admin.token })
  const [head, line] = String(body).replaceAll('"', '').trim().split(/\r?\n/)
  expect([head?.split(',').slice(-2), line?.split(',').slice(-2)]).toEqual([
    ['origin_country', 'destination_country'],
    ['ZA', 'NL'],
  ])
})
