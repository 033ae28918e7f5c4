// @vitest-environment page
import type { BillingDetails } from '@isotherm/contract/billing.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, leave, logInAs, show } from '../../../test/show.tsx'
import { UnitsDrawer } from './units-drawer.tsx'

afterEach(leave)

const price = { currency: 'NGN', net: 550_000, taxes: [], total: 550_000 }
const offers = { isSold: true, bundles: [{ units: 1000, price }], sellsAny: false, payBy: ['page'] }
const card = { id: '5', brand: 'Visa', last4: '4081', expMonth: 1, expYear: 2030, state: 'usable', isDefault: true }
const details = { name: 'Lagos Cold Stores' } as BillingDetails

test('nothing is paid before the saved cards are known: the first of them is then the way that is chosen', async () => {
  logInAs('admin')
  let answerCards = () => {}
  const held = new Promise<void>((resolve) => (answerCards = resolve))
  const bought: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const isOfCards = url.includes('/enterprise/cards')
    if (isOfCards) await held
    if (method === 'POST') bought.push(JSON.parse(String(body)))
    const payload = isOfCards
      ? { cards: [card], adding: 'payment' }
      : method === 'POST'
        ? { id: '9', url: null }
        : offers
    return Response.json({ success: true, payload })
  })
  const begun: string[] = []
  await show(
    <UnitsDrawer
      kind="sms"
      details={details}
      onChangeDetails={() => {}}
      onClose={() => {}}
      onBegun={(id) => begun.push(id)}
    />,
    { texts: ['wallet'] },
  )
  const pay = (await find('button[type=submit]', /^Pay NGN/)) as HTMLButtonElement
  expect(pay.disabled).toBe(true)
  pay.click()
  answerCards()
  await eventually(() => expect(pay.disabled).toBe(false))
  pay.click()
  await eventually(() => expect(begun).toEqual(['9']))
  expect(bought).toMatchObject([{ payBy: 'page', cardId: '5' }])
})
