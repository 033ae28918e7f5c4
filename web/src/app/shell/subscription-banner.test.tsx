// @vitest-environment page
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, serve, show } from '../../test/show.tsx'
import { ownNavigation } from './navigation.ts'
import { SubscriptionBanner } from './subscription-banner.tsx'

const dayMs = 86_400_000
const showBanner = async (
  role: 'admin' | 'staff',
  state: string | null,
  days = 0,
  more: { isOwed?: boolean; renews?: boolean; isPaused?: boolean } = {},
) => {
  logInAs(role)
  const until = new Date(Date.now() + days * dayMs).toISOString()
  const company = { subscription: state && { state, until, isOwed: more.isOwed ?? false } }
  const user = { role, locale: 'en', timezone: 'UTC', loginCount: 1, roleModulePermissions: defaultMatrix[role] }
  const requests = serve(({ path }) => ({
    payload: path === '/auth/profile' ? { company, user } : { admins: ['Ada Obi', 'Juma Wanjiru'], ...more },
  }))
  await show(<SubscriptionBanner />, { texts: ['shell'] })
  await eventually(() => expect(requests.length).toBeGreaterThan(0))
  return requests
}
afterEach(leave)

test('an Admin in a trial is told how long it lasts, and led to where it is renewed', async () => {
  await showBanner('admin', 'trial', 2.5)
  await find('[role=status]', /trial ends in 3 days/)
  expect((await find('a', 'Renew')).getAttribute('href')).toBe('/subscription/devices')
})

test('an Admin of an expired company is led there; others are told whom to ask', async () => {
  await showBanner('admin', 'expired', -3)
  await find('[role=alert]', /has ended/)
  await find('a', 'Renew')
  await showBanner('staff', 'expired', -3)
  await find('[role=alert]', /Please ask Ada Obi, Juma Wanjiru to renew/)
  expect(document.querySelector('a')).toBeNull()
})

test.each([
  ['nothing is sold', 'admin', null, 0],
  ['it runs for long', 'admin', 'running', 15],
  ['somebody who cannot renew is in a trial', 'staff', 'trial', 2],
] as const)('nothing is said where %s', async (_when, role, state, days) => {
  const requests = await showBanner(role, state, days)
  await eventually(() => expect(requests.map(({ path }) => path)).toEqual(['/auth/profile']))
  expect(document.querySelector('[role=status], [role=alert]')).toBeNull()
  expect(isShown('Renew')).toBe(false)
})

test('the rail has the subscription only where plans are sold', async () => {
  const has = () => ownNavigation().some(({ label }) => label === 'subscription')
  await showBanner('admin', null)
  expect(has()).toBe(false)
  await showBanner('admin', 'running', 100)
  await eventually(() => expect(has()).toBe(true))
  await showBanner('staff', 'running', 100)
  await eventually(() => expect(has()).toBe(false))
})

test('an Admin whose plan is not paid is told so however long something else runs; others are not', async () => {
  await showBanner('admin', 'running', 200, { isOwed: true })
  await find('[role=status]', /not paid for its next period/)
  await find('a', 'Pay now')
  await leave()
  const requests = await showBanner('staff', 'running', 200, { isOwed: true })
  await eventually(() => expect(requests.map(({ path }) => path)).toEqual(['/auth/profile']))
  expect(document.querySelector('[role=status], [role=alert]')).toBeNull()
})

test('nothing is said of an end that a card pays for, but where the operator holds charges back', async () => {
  const requests = await showBanner('admin', 'running', 3, { renews: true })
  await eventually(() => expect(requests.length).toBe(2))
  expect(document.querySelector('[role=status], [role=alert]')).toBeNull()
  await leave()
  await showBanner('admin', 'running', 3, { renews: true, isPaused: true })
  await find('[role=status]', /holds charges back/)
})
