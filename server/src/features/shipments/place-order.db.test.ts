import type { ShipmentConditions } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { aShipment } from '../../../test/shipment-factory.ts'

const t = describeApp()
describePipeline(t)

test('devices are listed by their places, probes by their numbers, for the shipment as for its conditions and its holders', async () => {
  const admin = await buildUser(t)
  const { companyId } = admin
  const places = ['pulp10', 'pulp2', 'return', 'pulp1'] as const
  const devices = []
  for (const place of places) {
    const readings = [{ at: new Date(t.clock.now().getTime() - 600_000), temperatureC: 1 }]
    const { id } = await aDevice(t, { companyId, name: `In ${place}`, readings })
    devices.push({ device_id: id, place })
  }
  const { id } = await aShipment(t, admin, { state: 'ongoing', devices })
  const read = async (path: string) => (await t.call('GET', `/export/shipments/${id}${path}`, admin)).body.payload
  const wanted = ['In return', 'In pulp1', 'In pulp2', 'In pulp10']
  const names = (all: readonly { name: string }[] = []) => all.map(({ name }) => name)
  expect(names((await read('')).devices)).toEqual(wanted)
  const [whole]: ShipmentConditions = await read('/conditions')
  expect(names(whole?.devices)).toEqual(wanted)
  const { stretches }: ShipmentCustody = await read('/custody')
  expect(names(stretches[0]?.devices)).toEqual(wanted)
})
