// @vitest-environment page
import type { OrderDetails, OrderState } from '@isotherm/contract/orders.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { OrderFacts } from './order-facts.tsx'

afterEach(leave)

const order = (state: OrderState, driver: OrderDetails['driver'], vehicle: object | null = null) =>
  ({
    ...{ id: '7', trackingCode: 'Q6TJ', state, version: 1, receiverList: [], devices: [], vehicle, driver },
    ...{ sender: { name: 'Store' }, pickup: { timezone: 'Africa/Lagos' }, timezone: 'Africa/Lagos' },
    ...{ deliverBy: '2026-11-24T08:00:00.000Z', createdAt: '2026-11-23T08:00:00.000Z', createdBy: 'Adaeze Okafor' },
    ...{ deviceCount: 0, hiddenDevices: 0 },
  }) as unknown as OrderDetails

const shown = async (
  state: OrderState,
  driver: OrderDetails['driver'] = { id: '1', name: 'Musa Bello', isActive: true },
) => {
  serve(() => ({ payload: { data: [], meta: { page: 1, perPage: 20, total: 0, pageCount: 0 } } }))
  await show(<OrderFacts order={order(state, driver)} state="" condition="" />, { texts: ['orderLife', 'orders'] })
  await find('dt', 'Deliver by')
}
const pencil = () => document.querySelector('button[aria-label="Change the driver"]')

test('beside the name of its driver the crew of an order that is not over is changed', async () => {
  logInAs('admin')
  await shown('inProgress')
  expect(isShown('Musa Bello')).toBe(true)
  await press('Change the driver')
  await find('[role=dialog]', 'Driver, vehicle and devices of Q6TJ')
  await shown('new', null)
  expect([isShown('Nobody yet'), pencil() !== null]).toEqual([true, true])
  await shown('completed')
  expect([isShown('Musa Bello'), pencil()]).toEqual([true, null])
  await shown('cancelled', null)
  expect(isShown('Driver')).toBe(false)
})

test('the plate of its vehicle is not broken at its hyphen', async () => {
  logInAs('admin')
  await show(<OrderFacts order={order('new', null, { name: 'Blue van', plate: 'LAG-482' })} state="" condition="" />, {
    texts: ['orderLife', 'orders'],
  })
  expect((await find('dd span', 'LAG-482')).style.whiteSpace).toBe('nowrap')
})
