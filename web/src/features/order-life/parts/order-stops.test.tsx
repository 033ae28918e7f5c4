// @vitest-environment page
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, show } from '../../../test/show.tsx'
import { OrderStops } from './order-stops.tsx'

afterEach(leave)

const item = {
  ...{ id: '1', name: 'Vaccine', quantity: 12, unitCount: 50, weightG: 18_500, worth: 45_000_000 },
  ...{ note: 'Keep upright', deliveredQuantity: null, refusedReason: null },
}
const receiver = {
  ...{ id: '1', state: 'waiting', snoozedUntil: null, settledAt: null, arrivedAt: null, departedAt: null, eta: null },
  party: { name: 'Ada', company: 'Ikeja clinic', phone: '+2348035550100', email: 'ada@clinic.test' },
  ...{ stop: { address: 'Apapa', timezone: 'Africa/Lagos' }, windowFrom: '2026-11-24T08:00:00.000Z', windowBy: null },
  items: [item],
}
const order = { id: '7', state: 'new', currency: 'NGN', receiverList: [receiver] } as unknown as OrderDetails

test('a stop tells all that was typed: how to reach the receiver, from when on, and each item', async () => {
  logInAs('staff')
  await show(<OrderStops order={order} />, { texts: ['orderLife'] })
  await find('strong', 'Ada')
  for (const words of [
    ...['Ikeja clinic, Apapa', 'ada@clinic.test', 'Not before: 24 Nov 2026, 09:00', 'Keep upright'],
    ...['12 × Vaccine · 50 items in each · 18.5', '450,000.00'],
  ])
    expect(isShown(words), words).toBe(true)
  expect((await find('a[href="tel:+2348035550100"]')).textContent).toContain('5550100')
})
