import { expect, test } from 'vitest'
import { cardOf, page, paymentTest, standing } from '../../../test/payments.ts'

test('mobile money leaves no card', async () => {
  const { peer, provider, toPay, known } = await paymentTest('paystack')
  const payment = toPay()
  const { url } = page(await provider.begin(payment))
  await peer.press(url, 'pay', { card: 'mobile' })
  expect(await provider.ask(known(payment))).toMatchObject({ status: 'success', card: null })
})

test('a wrong code ends a payment; a new one needs a new reference', async () => {
  const { peer, provider, toPay, known } = await paymentTest('paystack')
  const payment = toPay()
  const { url } = page(await provider.begin(payment))
  await peer.press(url, 'otp')
  await peer.press(url, 'pay', { otp: '000000' })
  expect(standing(await provider.ask(known(payment)))).toEqual({ status: 'failed', next: 'retry' })
  expect(await provider.begin(payment)).toMatchObject({ refused: { code: 'duplicate_reference' } })
})

test('one card has a new code after each payment, the same fingerprint, and is good with its mail only', async () => {
  const { peer, provider, toPay, known, keep } = await paymentTest('paystack')
  const [first, second] = [toPay(), toPay()]
  const cards = []
  for (const payment of [first, second]) {
    await peer.press(page(await provider.begin(payment)).url, 'pay')
    cards.push(cardOf(await provider.ask(known(payment))))
  }
  expect(cards[0]?.token).not.toBe(cards[1]?.token)
  expect(cards[0]?.fingerprint).toBe(cards[1]?.fingerprint)
  const [card] = cards
  if (!card) throw new Error('no card was kept')
  const refused = await provider.charge(toPay(), { ...card, email: 'other@acme.test' }, keep)
  expect(standing(refused)).toEqual({ status: 'failed', next: 'another-card' })
  expect(await provider.charge(toPay({ email: 'other@acme.test' }), card, keep)).toMatchObject({ status: 'success' })
})

test('a charge that the payer has to confirm gives an address, and is paid there', async () => {
  const { peer, provider, toPay, known, card, keep } = await paymentTest('paystack')
  const payment = toPay()
  const { url } = await provider.charge(payment, card('paused'), keep)
  await peer.press(url ?? '', 'pay')
  expect(await provider.ask(known(payment))).toMatchObject({ status: 'success' })
})

test('a payment that was given back is reversed', async () => {
  const { provider, toPay, known, card, keep } = await paymentTest('paystack')
  const payment = toPay()
  const { providerRef } = await provider.charge(payment, card('ok'), keep)
  await provider.refund({ reference: payment.reference, providerRef: providerRef ?? '' }, payment.money, 'r')
  expect(await provider.ask(known(payment))).toMatchObject({ status: 'reversed', card: null })
})
