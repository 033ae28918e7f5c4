// @vitest-environment page
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, show } from '../../../test/show.tsx'
import { ShipmentActs } from './shipment-acts.tsx'

afterEach(leave)

const open = async (button: string) => {
  logInAs('admin')
  const shipment = { id: '7', number: 'S-000007', state: 'ongoing' } as ShipmentDetails
  await show(<ShipmentActs shipment={shipment} />, { texts: ['shipments'] })
  ;(await find('button', button)).click()
  await eventually(() => expect(isShown('S-000007')).toBe(true))
  return [...document.querySelectorAll('[role=dialog] button')].map((one) => one.textContent).filter(Boolean)
}

test('to cancel a shipment and to leave it as it is do not have the same name', async () => {
  expect(await open('Cancel shipment')).toEqual(['Cancel shipment', 'Back'])
})

test('another act is left by the usual name', async () => {
  expect(await open('Complete')).toEqual(['Complete', 'Cancel'])
})
