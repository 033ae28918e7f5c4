// @vitest-environment page
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { OrderLinks } from './order-links.tsx'

afterEach(leave)

const hourMs = 3_600_000
const receiver = (id: string, state: string, hoursAgo?: number) => ({
  ...{ id, party: { name: `Receiver ${id}` }, state },
  settledAt: hoursAgo === undefined ? null : new Date(Date.now() - hoursAgo * hourMs).toISOString(),
})
const order = (state: string, receiverList: object[]) =>
  ({ id: '5', state, driver: { id: '9', name: 'Zainab' }, receiverList }) as OrderDetails

const rows = () =>
  [...document.querySelectorAll('li')].map((row) => [
    row.querySelector('span')?.textContent,
    ...[...row.querySelectorAll('button')].map(({ textContent }) => textContent),
  ])

test('links are offered as long as their pages show something', async () => {
  logInAs('admin')
  serve(() => ({ payload: null }))
  await show(<OrderLinks order={order('completed', [receiver('1', 'delivered', 1), receiver('2', 'failed', 73)])} />, {
    texts: ['orderLinks'],
  })
  await find('b', 'Zainab')
  await eventually(() =>
    expect(rows()).toEqual([
      ['No link: the order is over'],
      ['No link', 'Make a link'],
      ['Its page can no longer be opened: this stop is over'],
    ]),
  )
  leave()
  logInAs('admin')
  serve(() => ({ payload: null }))
  await show(<OrderLinks order={order('cancelled', [receiver('1', 'cancelled', 1)])} />, { texts: ['orderLinks'] })
  const cancelled = ['No link: the order or this stop was cancelled']
  await eventually(() => expect(rows()).toEqual([cancelled, cancelled]))
})
