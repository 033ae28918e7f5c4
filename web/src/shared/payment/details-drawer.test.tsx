// @vitest-environment page
import type { BillingAccount, BillingDetails } from '@isotherm/contract/billing.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, logInAs, press, serve, show, type } from '../../test/show.tsx'
import { DetailsDrawer } from './details-drawer.tsx'

afterEach(leave)
logInAs('admin')

const details: BillingDetails = {
  ...{ name: 'Acme', address: 'There', country: 'NG', taxNumber: null, email: null },
}
const account: BillingAccount = {
  ...{ details, suggested: { name: '', address: '', country: null, taxNumber: null }, currency: 'NGN', version: 1 },
}

/** A server on which somebody has made `now` of the details since; gives back the bodies it was sent. */
function serverWith(now: BillingDetails) {
  const requests = serve(({ method, path, body }) => {
    const kept = { ...account, details: now, version: 2 }
    if (method !== 'PUT') return { payload: path.endsWith('billing-account') ? kept : {} }
    const { version, ...change } = body as BillingDetails & { version: number }
    if (version !== 2) return { status: 400, code: 'CHANGED_MEANWHILE', message: 'Somebody changed this meanwhile.' }
    return { payload: { ...kept, details: change, version: 3 } }
  })
  return () => requests.flatMap(({ method, body }) => (method === 'PUT' ? [body] : []))
}

let saved = 0
const showDrawer = () =>
  show(<DetailsDrawer account={account} onClose={() => undefined} onSaved={() => saved++} />, { texts: ['wallet'] })

test('an address is saved beside a tax number that somebody else has given', async () => {
  const sent = serverWith({ ...details, taxNumber: 'X1' })
  await showDrawer()
  type(await field('Address'), 'Elsewhere')
  await press('Go on')
  await eventually(() => expect(saved).toBe(1))
  expect(sent().at(-1)).toEqual({ ...details, address: 'Elsewhere', taxNumber: 'X1', version: 2 })
})

test('an address that somebody else has changed is shown, and is replaced by a second save only', async () => {
  saved = 0
  const sent = serverWith({ ...details, address: 'Their street' })
  await showDrawer()
  type(await field('Address'), 'My street')
  type(await field('Tax number'), 'X2')
  await press('Go on')
  await eventually(async () => expect((await field('Address')).value).toBe('Their street'))
  expect([saved, (await field('Tax number')).value]).toEqual([0, 'X2'])
  await press('Go on')
  await eventually(() => expect(saved).toBe(1))
  expect(sent().at(-1)).toEqual({ ...details, address: 'Their street', taxNumber: 'X2', version: 2 })
})
