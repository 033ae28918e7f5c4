import { describe, expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { insertPayment, paymentById } from '../../core/billing/payment-queries.ts'
import { newReference } from '../../core/billing/reference.ts'
import { settle } from '../../core/billing/settle.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { unseen } from '../../platform/payments/truth.ts'
import { reconcilePayments } from './reconcile.ts'

const scene = await describeMoney()
const { t, peer } = scene

const row = async (companyId: number, id: string) => {
  const found = await inTenant(t.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, id))
  if (!found) throw new Error(`no payment ${id}`)
  return found
}

/** A payment at Paystack that failed, as we know. */
async function failed() {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'otp')
  await peer.press(begun.url, 'pay', { otp: '000000' })
  expect((await buyer.check(begun.id)).body.payload.state).toBe('failed')
  return { buyer, begun, payment: await row(buyer.companyId, begun.id) }
}
const held = async ({ units, serials }: Awaited<ReturnType<typeof failed>>['buyer']) => [
  await units(),
  (await serials()).length,
]

describe('a payment that failed and comes in after all', () => {
  test('gives what was bought once its provider tells of it', async () => {
    const { buyer, begun, payment } = await failed()
    await peer.payLate(payment.reference)
    expect(await held(buyer)).toEqual([0, 0])
    await scene.deliver()
    expect((await buyer.payment(begun.id)).state).toBe('succeeded')
    expect(await held(buyer)).toEqual([1_000, 1])
    await peer.webhooks.repeat()
    await scene.deliver()
    expect(await held(buyer)).toEqual([1_000, 1])
  })

  test('does so each night, where no event comes', async () => {
    const { buyer, payment } = await failed()
    peer.webhooks.mode = 'none'
    await peer.payLate(payment.reference)
    peer.webhooks.mode = 'ordinary'
    await reconcilePayments.run(t.services, {})
    expect(await held(buyer)).toEqual([1_000, 1])
  })

  test('does so after weeks in which no night went through to its end', async () => {
    await reconcilePayments.run(t.services, {})
    const { buyer, payment } = await failed()
    peer.webhooks.mode = 'none'
    await peer.payLate(payment.reference)
    peer.webhooks.mode = 'ordinary'
    t.clock.advance(20 * 86_400_000)
    peer.trouble('broken', 'broken', 'broken')
    await reconcilePayments.run(t.services, {}).catch(() => undefined)
    expect(await held(buyer)).toEqual([0, 0])
    peer.trouble()
    await reconcilePayments.run(t.services, {})
    expect(await held(buyer)).toEqual([1_000, 1])
  })

  test('is asked for again where the provider does not answer when it is told of', async () => {
    const { buyer, payment } = await failed()
    await peer.payLate(payment.reference)
    peer.trouble('broken', 'broken', 'broken')
    await scene.deliver()
    peer.trouble()
    expect(await row(buyer.companyId, payment.id)).toMatchObject({ state: 'failed', check_at: expect.any(Date) })
    t.clock.advance(3 * 60_000)
    await scene.sweep()
    expect(await held(buyer)).toEqual([1_000, 1])
  })

  test('waits for a person where another payment has paid the same meanwhile', async () => {
    const { buyer, payment } = await failed()
    const { companyId } = buyer
    const { purchase_id, provider, currency, amount, created_at, closes_at } = payment
    const second = await inTenant(t.pool, companyId, ({ tx }) =>
      insertPayment(
        { tx, companyId },
        {
          ...{ purchase_id, provider, currency, amount, created_at, closes_at, check_at: null },
          reference: newReference(t.services.secret, companyId),
        },
      ),
    )
    const paid = {
      ...unseen(second.reference, 'success'),
      money: { amount: BigInt(amount), currency },
      providerRef: '1',
    }
    await settle(t.services, companyId, second.id, paid)
    await peer.payLate(payment.reference)
    await scene.deliver()
    expect(await row(companyId, payment.id)).toMatchObject({ state: 'review', failure_code: 'paid_twice' })
    expect(await held(buyer)).toEqual([1_000, 1])
  })
})

test('what is told of a payment that failed, and is no success, leaves it failed', async () => {
  const { buyer, payment } = await failed()
  for (const status of ['action', 'unknown', 'failed'] as const) {
    await settle(t.services, buyer.companyId, payment.id, unseen(payment.reference, status))
    expect(await row(buyer.companyId, payment.id)).toMatchObject({ state: 'failed', check_at: null })
  }
  await settle(t.services, buyer.companyId, payment.id, unseen(payment.reference, 'pending'))
  expect(await row(buyer.companyId, payment.id)).toMatchObject({ state: 'failed', check_at: expect.any(Date) })
})

test('a screen does not have one asked for that failed', async () => {
  const { buyer, begun, payment } = await failed()
  peer.webhooks.mode = 'none'
  await peer.payLate(payment.reference)
  peer.webhooks.mode = 'ordinary'
  t.clock.advance(5_000)
  expect((await buyer.check(begun.id)).body.payload.state).toBe('failed')
})
