import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { page, paymentTest } from '../../../test/payments.ts'
import { NotSent } from './not-sent.ts'
import type { Truth } from './provider.ts'

describe.each(['paystack', 'stripe'] as const)('%s', (name) => {
  test.each([
    ['busy', true],
    ['drop', false],
    ['slow', false],
    ['broken', false],
    ['garbage', false],
    ['redirect', false],
  ] as const)(
    'a request that goes wrong (%s) is thrown; that it was not sent is said only where it is certain',
    async (trouble, isNotSent) => {
      const { peer, provider, hasty, toPay, known, card, keep } = await paymentTest(name)
      const payment = toPay()
      const used = trouble === 'slow' ? hasty : provider
      const calls = [
        () => used.charge(payment, card('ok'), keep),
        () => used.begin(payment),
        () => used.ask(known(payment, { customer: 'cus_known' })),
        () => used.refund({ reference: payment.reference, providerRef: '1' }, payment.money, 'r'),
        () => used.askRefund('1'),
        () => used.recent(new Date(0))[Symbol.asyncIterator]().next(),
      ]
      for (const call of calls) {
        peer.trouble(trouble)
        const thrown: unknown = await call().catch((error: unknown) => error)
        expect(thrown).toBeInstanceOf(Error)
        expect(thrown instanceof NotSent).toBe(isNotSent)
        expect(`${String(thrown)} ${JSON.stringify(thrown)}`).not.toMatch(/sk_test|whsec|acme/)
      }
      peer.trouble()
      expect(peer.movements).toHaveLength(0)
      expect(await provider.ask(known(payment, { customer: 'cus_known' }))).toMatchObject({ status: 'unknown' })
    },
  )

  test('what cannot reach the provider, or has a wrong key, was not sent', async () => {
    const { peer, provider, strange, toPay, card, keep } = await paymentTest(name)
    await expect(strange.charge(toPay(), card('ok'), keep)).rejects.toThrow(NotSent)
    await peer.close()
    await expect(provider.charge(toPay(), card('ok'), keep)).rejects.toThrow(NotSent)
  })

  test.each(['slow', 'drop', '500'])(
    'a charge whose answer is lost (%s) is thrown, and neither failed nor unsent; asking finds the success',
    async (behaviour) => {
      const { peer, provider, hasty, toPay, known, card, kept, keep } = await paymentTest(name)
      const payment = toPay()
      const thrown: unknown = await hasty.charge(payment, card(behaviour), keep).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(Error)
      expect(thrown).not.toBeInstanceOf(NotSent)
      const providerRef = kept[0] ?? null
      expect(await provider.ask(known(payment, { providerRef }))).toMatchObject({ status: 'success' })
      // Charged once more by mistake.
      await hasty.charge({ ...payment, providerRef }, card(behaviour), keep).catch(() => null)
      expect(peer.movements).toHaveLength(1)
    },
  )

  test('a page whose answer is lost: the same one again, or a new reference, as the provider says', async () => {
    const { peer, provider, toPay } = await paymentTest(name)
    const payment = toPay()
    peer.trouble('lost')
    await expect(provider.begin(payment)).rejects.toThrow()
    const again = await provider.begin(payment)
    if (provider.repeats) expect(await (await fetch(page(again).url)).text()).toContain('10,750.00')
    else expect(again).toMatchObject({ refused: { code: 'duplicate_reference', next: 'desk' } })
  })

  test('a refund whose answer is lost is found by its key', async () => {
    const { peer, provider, toPay, card, keep } = await paymentTest(name)
    const payment = toPay()
    const { providerRef } = await provider.charge(payment, card('ok'), keep)
    const settled = { reference: payment.reference, providerRef: providerRef ?? '' }
    const refund = () => provider.refund(settled, payment.money, 'refund-1')
    peer.trouble(null, 'lost')
    await expect(refund()).rejects.toThrow()
    expect(await refund()).toMatchObject({ status: 'success' })
    expect(peer.movements.map(({ kind }) => kind)).toEqual(['charge', 'refund'])
  })

  test('a card is charged once and its state is told, whatever goes wrong in between', async () => {
    const { peer, provider, toPay, known, card } = await paymentTest(name)
    const troubles = fc.array(fc.constantFrom(null, null, 'drop', 'lost', 'busy', 'broken', 'garbage'), {
      maxLength: 8,
    })
    const behaviours = fc.constantFrom('ok', 'ok', 'nofunds', 'drop', '500')
    await fc.assert(
      fc.asyncProperty(troubles, behaviours, async (planned, behaviour) => {
        const payment = toPay()
        let providerRef: string | null = null
        // Runs until it is final, as the caller does: ask, then charge what is unknown.
        const settle = async (): Promise<Truth> => {
          const asked = await provider.ask(known(payment, { providerRef }))
          if (asked.status !== 'unknown') return asked
          return provider.charge({ ...payment, providerRef }, card(behaviour), async (id) => {
            providerRef = id
          })
        }
        peer.trouble(...planned)
        let truth: Truth | null = null
        for (let tries = 0; !truth && tries < 20; tries++) truth = await settle().catch(() => null)
        const moved = peer.movements.filter(({ reference }) => reference === payment.reference)
        expect(truth?.status).toBe(behaviour === 'nofunds' ? 'failed' : 'success')
        expect(moved).toHaveLength(behaviour === 'nofunds' ? 0 : 1)
      }),
      { numRuns: 150 },
    )
  })
})
