import { expect, test } from 'vitest'
import { page, paymentTest, standing } from '../../../test/payments.ts'
import { failureOf } from './stripe-answers.ts'

const anHour = 3_600_000

test('a page can be closed, and is closed when its time is over; a paid one stays paid', async () => {
  const { peer, provider, clock, toPay, known } = await paymentTest('stripe')
  const [closed, paid, old] = [toPay(), toPay(), toPay()]
  const pages = [await provider.begin(closed), await provider.begin(paid), await provider.begin(old)].map(page)
  const [first, second, third] = pages.map(({ session }) => session)
  await peer.press(pages[1]?.url ?? '', 'pay')
  await provider.close?.(first ?? '')
  await provider.close?.(first ?? '')
  await provider.close?.(second ?? '')
  clock.advance(anHour)
  const ask = (payment: typeof paid, session = '') => provider.ask(known(payment, { session }))
  expect(standing(await ask(closed, first))).toEqual({ status: 'failed', next: 'payer' })
  expect(standing(await ask(paid, second))).toEqual({ status: 'success', next: null })
  expect(standing(await ask(old, third))).toEqual({ status: 'failed', next: 'payer' })
  await peer.press(pages[0]?.url ?? '', 'pay')
  expect(peer.movements).toHaveLength(1)
})

test('a card is kept without a payment, and can be charged', async () => {
  const { peer, provider, toPay, keep } = await paymentTest('stripe')
  const toKeep = toPay()
  const { url, session } = page(
    (await provider.beginCard?.(toKeep)) ?? { refused: { code: '', text: '', next: 'desk' } },
  )
  expect(await provider.askCard?.(session)).toBeNull()
  await peer.press(url, 'pay')
  const kept = await provider.askCard?.(session)
  expect(kept).toMatchObject({ reference: toKeep.reference, card: { last4: '4242', customer: expect.any(String) } })
  expect(peer.movements).toHaveLength(0)
  if (!kept) throw new Error('no card was kept')
  expect(await provider.charge(toPay(), kept.card, keep)).toMatchObject({ status: 'success' })
})

test('a page keeps no card where it should not', async () => {
  const { peer, provider, toPay, known } = await paymentTest('stripe')
  const payment = toPay({ keepCard: false })
  const { url, session } = page(await provider.begin(payment))
  await peer.press(url, 'pay')
  expect(await provider.ask(known(payment, { session }))).toMatchObject({ status: 'success', card: null })
})

test('a charge stops where its id cannot be kept; asking by the customer finds it', async () => {
  const { peer, provider, toPay, known, card } = await paymentTest('stripe')
  const payment = toPay()
  const failing = () => Promise.reject(new Error('the database is away'))
  await expect(provider.charge(payment, card('ok'), failing)).rejects.toThrow('the database is away')
  const lost = known(payment, { customer: 'cus_known' })
  const { status, providerRef } = await provider.ask(lost)
  expect(status).toBe('unknown')
  expect(peer.movements).toHaveLength(0)
  expect(await provider.charge({ ...payment, providerRef }, card('ok'), failing)).toMatchObject({ status: 'success' })
  expect(await provider.ask(lost)).toMatchObject({ status: 'success', providerRef })
  expect(peer.movements).toHaveLength(1)
})

test('a charge whose bank wants the payer is abandoned, and stays failed', async () => {
  const { provider, toPay, known, card, kept, keep } = await paymentTest('stripe')
  const payment = toPay()
  expect(standing(await provider.charge(payment, card('paused'), keep))).toEqual({ status: 'failed', next: 'payer' })
  const asked = await provider.ask(known(payment, { providerRef: kept[0] ?? null }))
  expect(standing(asked)).toEqual({ status: 'failed', next: 'payer' })
})

test.each(['', '-confirm'])('a request whose key is in use says nothing of the payment (%s)', async (suffix) => {
  const { peer, provider, toPay, card, keep } = await paymentTest('stripe')
  const payment = toPay()
  peer.stripeAnswers.busy.add(`${payment.reference}${suffix}`)
  await expect(provider.charge(payment, card('ok'), keep)).rejects.toThrow('409')
})

test('another payment by the same reference is not made', async () => {
  const { peer, provider, toPay, card, keep } = await paymentTest('stripe')
  const payment = toPay()
  await provider.charge(payment, card('ok'), keep)
  const other = toPay({ reference: payment.reference, money: { amount: 1n, currency: 'EUR' } })
  await expect(provider.charge(other, card('ok'), keep)).rejects.toThrow('StripeIdempotencyError')
  expect(peer.movements).toHaveLength(1)
})

test('an answer for another payment is unreadable', async () => {
  const { provider, toPay, known, card, kept, keep } = await paymentTest('stripe')
  await provider.charge(toPay(), card('ok'), keep)
  const { session } = page(await provider.begin(toPay()))
  await expect(provider.ask(known(toPay(), { providerRef: kept[0] ?? null }))).rejects.toThrow('another payment')
  await expect(provider.ask(known(toPay(), { session }))).rejects.toThrow('another payment')
})

test('a sentence that people read names no card and no payer of Stripe', () => {
  const message = "No such PaymentMethod: 'pm_1PqX2eLkdIwHu7ix'; it belongs to cus_Q9aZ8bYxT1."
  expect(failureOf({ code: 'resource_missing', message, param: 'payment_method' })).toEqual({
    ...{ code: 'resource_missing', next: 'another-card' },
    text: 'No such PaymentMethod: …; it belongs to ….',
  })
  expect(failureOf({ decline_code: 'do_not_honor' }).text).toBe('do_not_honor')
})
