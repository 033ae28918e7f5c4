// @vitest-environment page
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { find, leave, logInAs, show } from '../../../test/show.tsx'
import { ShipmentDevices } from './shipment-devices.tsx'

afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

const device = {
  ...{ id: '5', name: 'Logger', imei: '356307042441013', place: 'pallet', palletRef: 'A 1' },
  ...{ sscc: '160012345000000015', ssccUnchecked: false, joinedAt: null, leftAt: null },
}
const shipment = { devices: [device], hiddenDevices: 0, devicesNow: null } as unknown as ShipmentDetails

async function shownOn(isNarrow: boolean) {
  logInAs('staff')
  const media = { matches: isNarrow, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => media)
  await show(<ShipmentDevices shipment={shipment} />, { texts: ['shipments'] })
  await find('section, div', /Logger/)
  return document
}

test('a phone shows each device with all that is known of it, and no table that its edge cuts', async () => {
  const page = await shownOn(true)
  expect(page.querySelector('table')).toBeNull()
  const said = [...page.querySelectorAll('dl > div')].map(({ children }) => [...children].map((one) => one.textContent))
  expect(said).toEqual([
    ['IMEI', '356307042441013'],
    ['Place', 'Pallet'],
    ['Pallet', 'A 1'],
    ['SSCC', '160012345000000015'],
  ])
})

test('a wide screen shows them as a table', async () => {
  const page = await shownOn(false)
  expect([...page.querySelectorAll('th')].map(({ textContent }) => textContent)).toEqual([
    ...['Device', 'IMEI', 'Place', 'Pallet', 'SSCC'],
  ])
})
