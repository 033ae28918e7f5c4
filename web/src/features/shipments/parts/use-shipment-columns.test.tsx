// @vitest-environment page
import type { Shipment } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, show } from '../../../test/show.tsx'
import { useShipmentColumns } from './use-shipment-columns.tsx'

afterEach(leave)

function Arrival({ shipment }: { shipment: Partial<Shipment> }) {
  const column = useShipmentColumns().find(({ key }) => key === 'eta')
  return <section>Arrival: {column?.render(shipment as Shipment)}</section>
}

const shown = async (shipment: Partial<Shipment>) => {
  logInAs('staff')
  await show(<Arrival shipment={shipment} />, { texts: ['shipments'] })
  return (await find('section', /Arrival/)).textContent
}
const expected = { eta: '2026-12-21T17:00:00Z', etaZone: 'Europe/Amsterdam', endedAt: null }

test('what is under way tells when it is expected', async () => {
  expect(await shown(expected)).toBe('Arrival: 21 Dec 2026, 18:00 CET')
})

test('what is over tells its end, not what was expected', async () => {
  const ended = { ...expected, endedAt: '2026-11-29T16:14:00Z' }
  expect(await shown(ended)).toBe('Arrival: 29 Nov 2026, 17:14 CETCompleted')
})

test('nothing is known', async () => {
  expect(await shown({ ...expected, eta: null })).toBe('Arrival: –')
})
