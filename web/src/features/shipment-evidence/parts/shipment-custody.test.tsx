// @vitest-environment page
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { ShipmentCustody } from './shipment-custody.tsx'

afterEach(leave)

const [from, to] = ['2026-11-20T06:00:00.000Z', '2026-11-20T12:00:00.000Z']
const holder = { kind: 'carrier', name: 'MSC', legId: '3' }
const probe = {
  ...{ id: '1', name: 'Probe', place: 'pulp1', readings: 73, minC: 1, maxC: 2, meanC: 1.5, outsideMs: 0 },
}

/** Custody of a shipment with this verdict, whose devices were never out of range. */
async function shown(
  given: { verdict: ShipmentDetails['verdict']; hiddenDevices: number },
  devices: object[] = [probe],
) {
  logInAs('admin')
  const stretches = [{ holder, from, to, basis: 'start', devices, outsideMs: 0 }]
  const totals = [{ holder, heldMs: 21_600_000, outsideMs: 0 }]
  serve(() => ({ payload: { stretches, totals, excursions: [], hiddenDevices: given.hiddenDevices } }))
  const shipment = { id: '7', startedAt: from, ...given } as ShipmentDetails
  await show(<ShipmentCustody shipment={shipment} />, { texts: ['shipmentEvidence', 'shipments'] })
  await find('li', 'MSC')
  return {
    isProven: isShown('Never out of range'),
    isNeutral: isShown('That does not prove that the goods were always in range.'),
  }
}

test('custody of a shipment says that the goods were never out of range where that is proven', async () => {
  expect(await shown({ verdict: 'inRange', hiddenDevices: 0 })).toEqual({ isProven: true, isNeutral: false })
})

test.each([
  ['incomplete', 0],
  ['noLimits', 0],
  ['noData', 0],
  [null, 0],
  ['inRange', 1],
] as const)(
  'custody of a shipment claims nothing where the verdict is %s and %i devices are hidden',
  async (verdict, hidden) => {
    expect(await shown({ verdict, hiddenDevices: hidden })).toEqual({ isProven: false, isNeutral: true })
  },
)

test('custody of a shipment without devices says neither', async () => {
  expect(await shown({ verdict: null, hiddenDevices: 0 }, [])).toEqual({ isProven: false, isNeutral: false })
})
