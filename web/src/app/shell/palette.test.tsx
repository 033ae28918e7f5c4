// @vitest-environment page
import { auth } from '@isotherm/contract/auth.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyOf, queryClient } from '../../lib/query.ts'
import { eventually, find, leave, logInAs, serve, show, type } from '../../test/show.tsx'
import { Palette } from './palette.tsx'

beforeEach(() => logInAs('admin'))
afterEach(leave)

const field = async () => (await find('input')) as HTMLInputElement
const pressKey = (on: Element, key: string) =>
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
/** The company is one whose plans are sold. */
function sellPlans() {
  const user = {
    role: 'admin',
    locale: 'en',
    timezone: 'UTC',
    loginCount: 1,
    roleModulePermissions: defaultMatrix.admin,
  }
  queryClient.setQueryData(keyOf(auth.profile), { user, company: { subscription: { state: 'running' } } })
}

const noMore = { data: [], meta: { page: 1, perPage: 5, total: 0, pageCount: 1 } }

test('Enter opens nothing while nothing is typed, but what the arrows have moved to', async () => {
  serve(() => ({ payload: noMore }))
  const { address } = await show(<Palette onClose={() => undefined} />, { texts: ['shell'] })
  await find('[role=option]', 'Set up a device')
  pressKey(await field(), 'Enter')
  await eventually(() => expect(document.querySelector('[aria-selected=true]')).toBeNull())
  expect(address()).toBe('/')
  pressKey(await field(), 'ArrowDown')
  await find('[role=option][aria-selected=true]', 'Set up a device')
  pressKey(await field(), 'Enter')
  await eventually(() => expect(address()).toBe('/devices/setupdevice/new'))
})

test('a source that fails is named, and not taken for one that found nothing', async () => {
  serve(({ path }) =>
    path.startsWith('/groups') ? { status: 503, code: 'BUSY', message: 'Busy' } : { payload: noMore },
  )
  await show(<Palette onClose={() => undefined} />, { texts: ['shell'] })
  await find('[role=option]')
  type(await field(), 'zzzz', { leave: false })
  await find('[role=status]', 'Could not be searched: Groups')
})

test.each([
  ['on call', 'On call', '/alarms/on-call'],
  ['security', 'Security', '/settings/security'],
  ['export set', 'Export settings', '/export/settings'],
  ['adddispatch', 'Add dispatch', '/dispatch/add-dispatch'],
  ['shipment', 'Add shipment', '/export/dispatch/add-shipment'],
  ['wallet history', 'Wallet history', '/wallet/history'],
  ['wallet det', 'Wallet details', '/wallet/details'],
  ['wallet set', 'Wallet settings', '/wallet/settings'],
  ['plans', 'Plans and devices', '/subscription/devices'],
  ['licences', 'Licences', '/subscription/licences'],
  ['invoices', 'Invoices', '/subscription/invoices'],
  ['cards', 'Cards', '/subscription/cards'],
  ['features', 'Features of the plan', '/support/features'],
])('%s leads to what only a tab or a button of another screen leads to', async (text, name, path) => {
  serve(() => ({ payload: noMore }))
  const { address } = await show(<Palette onClose={() => undefined} />, { texts: ['shell'] })
  sellPlans()
  type(await field(), text, { leave: false })
  await find('[role=option][aria-selected=true]', name)
  pressKey(await field(), 'Enter')
  await eventually(() => expect(address()).toBe(path))
})

test('tabs of the subscription are found only where plans are sold', async () => {
  serve(() => ({ payload: noMore }))
  await show(<Palette onClose={() => undefined} />, { texts: ['shell'] })
  type(await field(), 'invoices', { leave: false })
  await find('[role=status]', 'no results found')
})
