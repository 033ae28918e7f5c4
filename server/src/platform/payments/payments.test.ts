import { describe, expect, test } from 'vitest'
import { cardOf, page, paymentTest, standing } from '../../../test/payments.ts'
import { NotSent } from './not-sent.ts'
import { matched, unseen } from './truth.ts'

describe.each(['paystack', 'stripe'] as const)('%s', (name) => {
  describe('a page', () => {
    test('is open, then paid, with the card for later; the browser is sent back', async () => {
      const { peer, provider, toPay, known } = await paymentTest(name)
      const payment = toPay()
      const { url, session } = page(await provider.begin(payment))
      expect(standing(await provider.ask(known(payment, { session })))).toEqual({
        status: 'action',
        next: null,
      })
      expect(await (await fetch(url)).text()).toContain(`10,750.00 ${payment.money.currency}`)
      expect(await peer.press(url, 'pay')).toContain(payment.returnUrl)
      const truth = await provider.ask(known(payment, { session }))
      expect(truth).toMatchObject({
        status: 'success',
        reference: payment.reference,
        money: payment.money,
        providerRef: expect.any(String),
        card: {
          token: expect.stringMatching(/^(AUTH|pm)_ok_\d+$/),
          email: 'ap@acme.test',
          brand: 'visa',
          last4: expect.stringMatching(/^\d{4}$/),
          expMonth: 12,
        },
      })
      expect(peer.movements).toMatchObject([{ kind: 'charge', ...payment.money, reference: payment.reference }])
      const later = toPay({ reference: `${payment.reference}-s1-c2-a1` })
      expect(await provider.charge(later, cardOf(truth), async () => {})).toMatchObject({ status: 'success' })
    })

    test('lets the payer try again after a decline', async () => {
      const { peer, provider, toPay, known } = await paymentTest(name)
      const payment = toPay()
      const { url, session } = page(await provider.begin(payment))
      expect(await peer.press(url, 'decline')).toBeNull()
      expect(await provider.ask(known(payment, { session }))).toMatchObject({ status: 'action' })
      await peer.press(url, 'pay')
      expect(await provider.ask(known(payment, { session }))).toMatchObject({ status: 'success' })
    })

    test('asks for a code, and stays unpaid when it is closed', async () => {
      const { peer, provider, toPay, known } = await paymentTest(name)
      const [payment, left] = [toPay(), toPay()]
      const { url, session } = page(await provider.begin(payment))
      await peer.press(url, 'otp')
      expect((await provider.ask(known(payment, { session }))).status).toMatch(/^(action|pending)$/)
      await peer.press(url, 'pay', { otp: '123456' })
      expect(await provider.ask(known(payment, { session }))).toMatchObject({ status: 'success' })
      const second = page(await provider.begin(left))
      await peer.press(second.url, 'close')
      expect(await provider.ask(known(left, { session: second.session }))).toMatchObject({ status: 'action' })
      expect(peer.movements).toHaveLength(1)
    })

    test('is refused for what the provider does not take', async () => {
      const { provider, toPay } = await paymentTest(name)
      const wrong = name === 'paystack' ? { money: { amount: 100n, currency: 'XOF' } } : { closesAt: new Date(0) }
      const refused = await provider.begin(toPay(wrong))
      expect(refused).toMatchObject({ refused: { next: 'desk', text: expect.any(String) } })
    })
  })

  describe('a saved card', () => {
    test.each([
      ['ok', { status: 'success', next: null }],
      ['nofunds', { status: 'failed', next: 'retry' }],
      ['expired', { status: 'failed', next: 'another-card' }],
      ['never', { status: 'failed', next: 'another-card' }],
      ['gone', { status: 'failed', next: 'another-card' }],
      ['pending', { status: 'pending', next: null }],
      ['refused', { status: 'success', next: null }],
      ['auth', name === 'paystack' ? { status: 'action', next: null } : { status: 'failed', next: 'payer' }],
      [
        'regulated',
        name === 'paystack' ? { status: 'failed', next: 'after-a-day' } : { status: 'failed', next: 'retry' },
      ],
    ])('that is %s', async (behaviour, expected) => {
      const { peer, provider, toPay, known, card, kept, keep } = await paymentTest(name)
      const payment = toPay()
      const truth = await provider.charge(payment, card(behaviour), keep)
      expect(standing(truth)).toEqual(expected)
      expect(truth).toMatchObject({ reference: payment.reference })
      expect(peer.movements).toHaveLength(expected.status === 'success' ? 1 : 0)
      // Asking later gives the state that was answered.
      const wasMade = truth.providerRef !== null || truth.status === 'action'
      const asked = await provider.ask(known(payment, { providerRef: kept[0] ?? truth.providerRef }))
      expect(asked.status).toBe(wasMade ? truth.status : 'unknown')
    })

    test('is charged once by one reference, also a day later', async () => {
      const { peer, provider, toPay, card, kept, keep } = await paymentTest(name)
      const payment = toPay()
      await provider.charge(payment, card('ok'), keep)
      const again = await provider.charge(payment, card('ok'), keep)
      peer.stripeAnswers.forget()
      const aDayLater = await provider.charge({ ...payment, providerRef: kept[0] ?? null }, card('ok'), keep)
      expect([again.status, aDayLater.status]).toEqual(['success', 'success'])
      expect(peer.movements).toHaveLength(1)
    })

    test.each([
      ['success', { status: 'success', next: null }],
      ['failed', { status: 'failed', next: 'retry' }],
    ] as const)('whose bank takes its time, and then says %s', async (result, expected) => {
      const { peer, provider, toPay, known, card, kept, keep } = await paymentTest(name)
      const payment = toPay()
      await provider.charge(payment, card('pending'), keep)
      await peer.finishPending(result)
      expect(standing(await provider.ask(known(payment, { providerRef: kept[0] ?? null })))).toEqual(expected)
    })

    test('can be charged no more once it is forgotten; forgetting it twice is no error', async () => {
      const { peer, provider, toPay, known, keep } = await paymentTest(name)
      const payment = toPay()
      const { url, session } = page(await provider.begin(payment))
      await peer.press(url, 'pay')
      const card = cardOf(await provider.ask(known(payment, { session })))
      await provider.forget(card)
      await provider.forget(card)
      const refused = await provider.charge(toPay(), card, keep)
      expect(standing(refused)).toEqual({ status: 'failed', next: 'another-card' })
      expect(peer.movements).toHaveLength(1)
    })
  })

  describe('a refund', () => {
    test('of a part is given once by its key', async () => {
      const { peer, provider, toPay, card, keep } = await paymentTest(name)
      const payment = toPay()
      const { providerRef } = await provider.charge(payment, card('ok'), keep)
      if (!providerRef) throw new Error('the payment has no id')
      const settled = { reference: payment.reference, providerRef }
      const part = { ...payment.money, amount: 75_000n }
      const first = await provider.refund(settled, part, 'refund-1')
      expect(first).toMatchObject({ refundRef: expect.any(String), money: part, failure: null })
      peer.stripeAnswers.forget()
      const again = await provider.refund(settled, part, 'refund-1')
      expect(again).toMatchObject({ status: 'success', refundRef: first.refundRef })
      expect(await provider.refund(settled, part, 'refund-2')).not.toMatchObject({ refundRef: first.refundRef })
      expect(peer.movements.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount)).toEqual([
        75_000n,
        75_000n,
      ])
    })

    test('of more than was paid is refused', async () => {
      const { provider, toPay, card, keep } = await paymentTest(name)
      const payment = toPay()
      const { providerRef } = await provider.charge(payment, card('ok'), keep)
      const settled = { reference: payment.reference, providerRef: providerRef ?? '' }
      const refund = await provider.refund(settled, { ...payment.money, amount: 1_075_001n }, 'too-much')
      expect(refund).toMatchObject({ status: 'failed', refundRef: null, failure: { next: 'desk' } })
    })

    test.each([
      ['processed', 'success'],
      ['failed', 'failed'],
      ['needs-attention', 'attention'],
    ] as const)('ends %s', async (result, status) => {
      const { peer, provider, toPay, card, keep } = await paymentTest(name, { refundsAtOnce: false })
      const payment = toPay()
      const { providerRef } = await provider.charge(payment, card('ok'), keep)
      const settled = { reference: payment.reference, providerRef: providerRef ?? '' }
      const { status: before, refundRef } = await provider.refund(settled, payment.money, 'r')
      expect(before).toBe('pending')
      await peer.finishRefunds(result)
      expect(await provider.askRefund(refundRef ?? '')).toMatchObject({ status, money: payment.money })
    })
  })

  test('recent payments are those that succeeded since an instant, over all pages', async () => {
    const { provider, toPay, card, clock, keep } = await paymentTest(name)
    await provider.charge(toPay(), card('ok'), keep)
    clock.advance(3_600_000)
    const since = clock.now()
    const paid: string[] = []
    for (let n = 0; n < 103; n++) {
      const payment = toPay()
      await provider.charge(payment, card('ok'), keep)
      paid.push(payment.reference)
    }
    await provider.charge(toPay(), card('nofunds'), keep)
    const recent: string[] = []
    for await (const { reference, money, providerRef } of provider.recent(since)) {
      expect(money).toEqual(toPay().money)
      expect(providerRef).not.toBe('')
      recent.push(reference)
    }
    expect(recent.sort()).toEqual(paid.sort())
  })

  test('recent disputes are those that were begun since an instant, with how they stand by now', async () => {
    const { peer, provider, toPay, card, clock, keep } = await paymentTest(name)
    const disputed = async () => {
      const payment = toPay()
      const { providerRef } = await provider.charge(payment, card('ok'), keep)
      await peer.dispute(name, payment.reference)
      return { reference: payment.reference, providerRef }
    }
    await disputed()
    clock.advance(3_600_000)
    const since = clock.now()
    const [open, lost] = [await disputed(), await disputed()]
    await peer.endDispute(name, lost.reference, 'lost')
    const recent = []
    for await (const { disputeRef, reference: _, money: __, ...dispute } of provider.recentDisputes(since)) {
      expect(await provider.askDispute(disputeRef)).toMatchObject(dispute)
      recent.push(dispute)
    }
    expect(recent.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      { status: 'lost', providerRef: lost.providerRef },
      { status: 'open', providerRef: open.providerRef },
    ])
  })

  describe('money', () => {
    test.each([
      ['another amount', { amount: 1_074_999n }],
      ['another currency', { currency: 'USD' }],
    ])('of %s is no success, neither when it is paid nor when it is asked for', async (_, other) => {
      const { provider, toPay, known, card, kept, keep } = await paymentTest(name)
      const payment = toPay()
      const { providerRef } = await provider.charge(payment, card('ok'), keep)
      const asked = known(payment, { providerRef, money: { ...payment.money, ...other } })
      const truth = await provider.ask(asked)
      expect(standing(truth)).toEqual({ status: 'differs', next: 'desk' })
      expect(truth).toMatchObject({ money: payment.money, card: null })
      const again = { ...payment, money: asked.money, providerRef: kept[0] ?? null }
      expect(standing(await provider.charge(again, card('ok'), keep))).toEqual({ status: 'differs', next: 'desk' })
    })

    test('that cannot be sent exactly is not sent', async () => {
      const { peer, provider, toPay, card, keep } = await paymentTest(name)
      for (const amount of [0n, -1n, 2n ** 53n]) {
        const payment = toPay({ money: { amount, currency: 'USD' } })
        await expect(provider.charge(payment, card('ok'), keep)).rejects.toThrow(NotSent)
        await expect(provider.begin(payment)).rejects.toThrow(NotSent)
      }
      expect(peer.movements).toHaveLength(0)
    })
  })
})

test('play money is no success where ours is real', () => {
  const money = { amount: 100n, currency: 'NGN' }
  const paid = { ...unseen('iso-1', 'success'), money }
  expect(matched(paid, money, true)).toBe(paid)
  expect(standing(matched(paid, money, false))).toEqual({ status: 'differs', next: 'desk' })
})
