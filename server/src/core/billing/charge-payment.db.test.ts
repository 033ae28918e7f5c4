import { describe, expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Truth } from '../../platform/payments/provider.ts'
import { unseen } from '../../platform/payments/truth.ts'
import { cardById, listCards, updateCard } from './card-queries.ts'
import { chargePayment } from './charge-payment.ts'
import type { PaymentRow } from './payment-queries.ts'
import { settle } from './settle.ts'

const scene = await describeMoney()
const { t, peer } = scene
const minuteMs = 60_000

const chargesOf = (reference: string) => peer.movements.filter((moved) => moved.reference === reference).length
const card = (companyId: number, id: string) => inTenant(t.pool, companyId, ({ tx }) => cardById({ tx, companyId }, id))

describe.each([
  ['paystack', 'NG'],
  ['stripe', 'DE'],
] as const)('the charge of a saved card by %s', (name, country) => {
  test('that works gives what was bought, with an invoice', async () => {
    const buyer = await scene.buyer({ country })
    const payment = await buyer.owe(await buyer.saveCard())
    expect(await chargePayment(t.services, buyer.companyId, payment.id)).toMatchObject({ state: 'succeeded' })
    expect([await buyer.units(), chargesOf(payment.reference)]).toEqual([10, 1])
    expect(await buyer.serials()).toHaveLength(1)
  })

  test.each([
    ['nofunds', 'retry', 'active'],
    ['expired', 'another-card', 'unusable'],
    ['never', 'another-card', 'unusable'],
    ['gone', 'another-card', 'unusable'],
  ] as const)(
    'that is declined as %s says what comes next, and what becomes of the card',
    async (behaviour, next, state) => {
      const buyer = await scene.buyer({ country })
      const other = await buyer.saveCard('ok')
      const cardId = await buyer.saveCard(behaviour)
      const payment = await buyer.owe(cardId)
      const ended = await chargePayment(t.services, buyer.companyId, payment.id)
      expect(ended).toMatchObject({
        state: 'failed',
        failure_next: next,
        failure_text: expect.any(String),
        check_at: null,
      })
      expect(await card(buyer.companyId, cardId)).toMatchObject({ state })
      expect(await card(buyer.companyId, other)).toMatchObject({ state: 'active', is_default: true })
      expect([await buyer.units(), chargesOf(payment.reference)]).toEqual([0, 0])
    },
  )

  test('that the bank wants the payer for says so', async () => {
    const buyer = await scene.buyer({ country })
    const payment = await buyer.owe(await buyer.saveCard('auth'))
    const ended = await chargePayment(t.services, buyer.companyId, payment.id)
    if (name === 'stripe') return expect(ended).toMatchObject({ state: 'failed', failure_next: 'payer' })
    expect(ended).toMatchObject({ state: 'action', page_url: expect.stringContaining('http') })
    await peer.press(ended.page_url ?? '', 'pay')
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect(await buyer.units()).toBe(10)
  })

  test.each(['slow', 'drop', '500'] as const)(
    'whose answer is lost (%s) is not repeated: the sweep learns that it is paid',
    async (behaviour) => {
      const buyer = await scene.buyer({ country })
      const payment = await buyer.owe(await buyer.saveCard(behaviour))
      // Where an answer is only late it may come in time.
      expect(['sent', 'succeeded']).toContain((await chargePayment(t.services, buyer.companyId, payment.id)).state)
      t.clock.advance(15 * minuteMs)
      await scene.sweep()
      expect(await buyer.row(payment.id)).toMatchObject({ state: 'succeeded' })
      expect([await buyer.units(), chargesOf(payment.reference)]).toEqual([10, 1])
    },
  )

  test('that never reached the provider is sent by the sweep, and one that was not even begun, too', async () => {
    const buyer = await scene.buyer({ country })
    const cardId = await buyer.saveCard()
    const [one, two] = [await buyer.owe(cardId), await buyer.owe(cardId)]
    // The question before the charge gets through, the charge does not.
    peer.trouble(null, 'busy')
    expect(await chargePayment(t.services, buyer.companyId, one.id)).toMatchObject({ state: 'created' })
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect(await buyer.row(one.id)).toMatchObject({ state: 'succeeded' })
    expect(await buyer.row(two.id)).toMatchObject({ state: 'succeeded' })
    expect([chargesOf(one.reference), chargesOf(two.reference)]).toEqual([1, 1])
  })

  test('that was sent and is unknown is not repeated for ten minutes, and then by the same reference', async () => {
    const buyer = await scene.buyer({ country })
    const payment = await buyer.owe(await buyer.saveCard())
    peer.trouble(null, 'broken')
    expect(await chargePayment(t.services, buyer.companyId, payment.id)).toMatchObject({ state: 'sent' })
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect(await buyer.row(payment.id)).toMatchObject({ state: 'sent' })
    t.clock.advance(12 * minuteMs)
    await scene.sweep()
    expect(await buyer.row(payment.id)).toMatchObject({ state: 'succeeded' })
    expect(chargesOf(payment.reference)).toBe(1)
  })

  test('whose time is over is given up, and is not charged late', async () => {
    const buyer = await scene.buyer({ country })
    const payment = await buyer.owe(await buyer.saveCard())
    t.clock.advance(2 * 60 * minuteMs)
    await scene.sweep()
    expect(await buyer.row(payment.id)).toMatchObject({ state: 'cancelled' })
    expect(chargesOf(payment.reference)).toBe(0)
  })

  test('ten times at once, and again, moves money once', async () => {
    const buyer = await scene.buyer({ country })
    const payment = await buyer.owe(await buyer.saveCard())
    await Promise.all(Array.from({ length: 10 }, () => chargePayment(t.services, buyer.companyId, payment.id)))
    await chargePayment(t.services, buyer.companyId, payment.id)
    expect([await buyer.units(), chargesOf(payment.reference)]).toEqual([10, 1])
  })

  test('that a database from before does not know is found by its reference, and not repeated', async () => {
    const buyer = await scene.buyer({ country })
    const cardId = await buyer.saveCard('ok', name === 'stripe' ? { customer: `cus_${buyer.companyId}` } : {})
    const first = await buyer.owe(cardId)
    await chargePayment(t.services, buyer.companyId, first.id)
    await t.change(buyer.companyId, `update payments set reference = reference || '-old' where id = $1`, [first.id])
    t.clock.advance(3 * 24 * 60 * minuteMs)
    peer.stripeAnswers.forget()
    const again = await buyer.owe(cardId, { reference: first.reference })
    expect(await chargePayment(t.services, buyer.companyId, again.id)).toMatchObject({ state: 'succeeded' })
    expect(chargesOf(first.reference)).toBe(1)
  })

  test('is not sent once the card was removed, what it pays is void, or its code cannot be read', async () => {
    const buyer = await scene.buyer({ country })
    const cards = [await buyer.saveCard('ok'), await buyer.saveCard('nofunds'), await buyer.saveCard('pending')]
    const payments: PaymentRow[] = []
    for (const id of cards) payments.push(await buyer.owe(id))
    const [removed, voided, unread] = payments
    await inTenant(t.pool, buyer.companyId, ({ tx }) =>
      updateCard({ tx, companyId: buyer.companyId }, cards[0] ?? '', { state: 'removed', is_default: false }),
    )
    await t.change(buyer.companyId, 'update purchases set voided_at = now() where id = $1', [voided?.purchase_id])
    await t.change(buyer.companyId, `update cards set token_sealed = '\\x00' where id = $1`, [cards[2]])
    for (const one of payments) await chargePayment(t.services, buyer.companyId, one.id)
    const codes = await Promise.all(
      [removed, voided, unread].map(async (one) => (await buyer.row(one?.id ?? '')).failure_code),
    )
    expect(codes).toEqual(['card_unusable', 'not_owed', 'card_unreadable'])
    expect(peer.movements.filter(({ reference }) => payments.some((one) => one.reference === reference))).toEqual([])
  })
})

test('a payment by page keeps the card where the payer wants it, once, and with its newest code; else it does not', async () => {
  const buyer = await scene.buyer()
  const list = () => inTenant(t.pool, buyer.companyId, ({ tx }) => listCards({ tx, companyId: buyer.companyId }))
  const pay = async (keeps: boolean) => {
    const { id, url } = await buyer.begin()
    if (keeps) await t.change(buyer.companyId, 'update payments set keeps_card = true where id = $1', [id])
    await peer.press(url, 'pay')
    await buyer.check(id)
    return buyer.row(id)
  }
  expect(await pay(false)).toMatchObject({ state: 'succeeded', card_id: null })
  expect(await list()).toEqual([])
  const first = await pay(true)
  const [before] = await list()
  expect(before).toMatchObject({ id: first.card_id, last4: '4081', is_default: true, email: buyer.email })
  expect((await pay(true)).card_id).toBe(before?.id)
  const [after, ...more] = await list()
  expect(more).toEqual([])
  expect(after?.token_sealed?.equals(before?.token_sealed ?? Buffer.alloc(0))).toBe(false)
  const owed = await buyer.owe(after?.id ?? '')
  expect(await chargePayment(t.services, buyer.companyId, owed.id)).toMatchObject({ state: 'succeeded' })
})

test('a card that no bank can have keeps no payment from being settled, and is not kept', async () => {
  const buyer = await scene.buyer()
  const { id } = await buyer.begin()
  await t.change(buyer.companyId, 'update payments set keeps_card = true where id = $1', [id])
  const { reference } = await buyer.row(id)
  const strange = { last4: '', expMonth: 0, expYear: 30, token: 'AUTH_ok', email: buyer.email, customer: null }
  const truth: Truth = {
    ...{ ...unseen(reference, 'success'), providerRef: '7', money: { amount: 591_250n, currency: 'NGN' } },
    card: { ...strange, fingerprint: 'print', brand: 'visa', bank: null },
  }
  expect(await settle(t.services, buyer.companyId, id, truth)).toMatchObject({ state: 'succeeded', card_id: null })
  expect(await buyer.units()).toBe(1_000)
})

test('a card that was removed stays so, also where a late success names it', async () => {
  const buyer = await scene.buyer()
  const list = () => inTenant(t.pool, buyer.companyId, ({ tx }) => listCards({ tx, companyId: buyer.companyId }))
  const cardId = await buyer.saveCard('ok', { fingerprint: 'SIG_ok' })
  const payment = await buyer.owe(cardId)
  peer.trouble(null, 'lost')
  expect(await chargePayment(t.services, buyer.companyId, payment.id)).toMatchObject({ state: 'sent' })
  await inTenant(t.pool, buyer.companyId, ({ tx }) =>
    updateCard({ tx, companyId: buyer.companyId }, cardId, { state: 'removed', is_default: false }),
  )
  t.clock.advance(3 * minuteMs)
  await scene.sweep()
  expect(await buyer.row(payment.id)).toMatchObject({ state: 'succeeded', card_id: cardId })
  expect(await list()).toEqual([])
})
