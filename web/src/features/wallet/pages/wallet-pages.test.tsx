// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { getToasts } from '../../../lib/toast.ts'
import { eventually, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { OverviewPage } from './overview-page.tsx'
import { WalletSettingsPage } from './settings-page.tsx'

afterEach(leave)
logInAs('admin')

const sms = {
  ...{ id: '1', kind: 'sms', balance: 960, reserved: 0, remaining: 960, used: 40 },
  ...{ overdraftPerDay: 0, warnBelow: 20, topUp: null },
}
const overview = {
  period: { from: '2026-11-02T23:00:00.000Z', to: '2026-11-04T22:59:59.999Z' },
  ...{ balance: 960, remaining: 960, used: 1234, bought: 1000, byDay: [], byAlarm: [] },
}
const served = () =>
  serve(({ method, path }) => {
    if (path.startsWith('/wallet/sms/overview')) return { payload: overview }
    if (path === '/wallet') return { payload: [sms] }
    if (path === '/wallet/1' && method === 'PATCH') return { payload: { ...sms, warnBelow: 30 } }
    return {
      payload: path.includes('billing-account') ? { currency: 'NGN' } : path.includes('cards') ? { cards: [] } : [],
    }
  })

test('the overview tells the units that are left, and those used in the chosen days', async () => {
  const requests = served()
  await show(<OverviewPage />, { path: '/wallet/overview?from=2026-11-03&to=2026-11-04', texts: ['wallet'] })
  await find('span', '1,234 units used from 3 Nov 2026 to 4 Nov 2026')
  await find('span', '960')
  const asked = { kind: 'sms', from: overview.period.from, to: overview.period.to }
  expect(requests.filter(({ method }) => method === 'POST')).toMatchObject([{ body: asked }])
})

test('a message of the wallet stands for 7 s', async () => {
  served()
  await show(<WalletSettingsPage />, { path: '/wallet/settings', texts: ['wallet'] })
  const save = await find('form[aria-label="Warning of SMS units"] button', 'Save')
  save.click()
  await eventually(() => expect(getToasts()).toMatchObject([{ kind: 'success', lastsMs: 7000 }]))
})

test('a warning that somebody else has just changed is shown as it is now, and can be changed then', async () => {
  let now = { ...sms, version: 1 }
  serve(({ method, path, body }) => {
    const change = body as { version: number; warnBelow: number }
    if (method === 'PATCH' && change.version !== now.version)
      return { status: 400, code: 'CHANGED_MEANWHILE', message: 'Somebody changed this meanwhile.' }
    if (method === 'PATCH') now = { ...now, warnBelow: change.warnBelow, version: now.version + 1 }
    if (path.startsWith('/wallet')) return { payload: method === 'PATCH' ? now : [now] }
    return { payload: path.includes('billing-account') ? { currency: 'NGN' } : { cards: [] } }
  })
  await show(<WalletSettingsPage />, { path: '/wallet/settings', texts: ['wallet'] })
  const form = await find('form[aria-label="Warning of SMS units"]')
  const [input, save] = [form.querySelector('input'), form.querySelector('button[type=submit]')]
  if (!input || !(save instanceof HTMLElement)) throw new Error('no form')
  type(input, '30')
  now = { ...now, warnBelow: 50, version: 2 }
  save.click()
  await eventually(() => expect(input.value).toBe('50'))
  type(input, '30')
  await eventually(() => expect(save.hasAttribute('disabled')).toBe(false))
  save.click()
  await eventually(() => expect(now).toMatchObject({ warnBelow: 30, version: 3 }))
})
