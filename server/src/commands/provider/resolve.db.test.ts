import { expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { sweepRefunds } from '../../features/billing/refund-jobs.ts'

const scene = await describeMoney({ refundsAtOnce: false })
const { t, peer, desk } = scene

/** 5,912.50 that came in where something else was expected. */
async function underReview(expected: string, country = 'NG') {
  const buyer = await scene.buyer({ country })
  const begun = await buyer.begin()
  await t.change(buyer.companyId, `update payments set ${expected} where id = $1`, [begun.id])
  await peer.press(begun.url, 'pay')
  expect((await buyer.check(begun.id)).body.payload.state).toBe('review')
  const { reference } = await buyer.row(begun.id)
  const refund = (amount: string) =>
    desk(
      'payments',
      'resolve',
      'refund',
      '--company',
      String(buyer.companyId),
      '--payment',
      reference,
      ...[...['--reason', 'Wrong', '--amount', amount]],
    )
  const refunds = () => t.rows('select amount, currency from refunds where company_id = $1', [buyer.companyId])
  return { buyer, begun, reference, refund, refunds }
}

test.each([
  ['more than was expected', 'amount = amount - 100'],
  ['less than was expected', 'amount = amount + 100'],
])('of a payment of %s no more is given back than came in', async (_what, expected) => {
  const { buyer, begun, refund, refunds, reference } = await underReview(expected)
  await expect(refund('5912.51')).rejects.toThrow('No more than 5912.50 NGN')
  expect([await refunds(), (await buyer.payment(begun.id)).state]).toEqual([[], 'review'])
  await refund('5912.50')
  t.clock.advance(120_000)
  await sweepRefunds.run(t.services, {})
  await peer.finishRefunds('processed')
  expect(peer.movements.filter((one) => one.kind === 'refund' && one.reference === reference)).toMatchObject([
    { amount: 591_250n },
  ])
})

test('money of another currency is given back in its own', async () => {
  const { refund, refunds } = await underReview(`currency = 'USD', amount = 100`)
  await expect(refund('5912.51')).rejects.toThrow('No more than 5912.50 NGN')
  await refund('5912.50')
  expect(await refunds()).toEqual([{ amount: '591250', currency: 'NGN' }])
})

test('what was given back of it before counts, unless that failed; what the provider or a bank took back is gone', async () => {
  const { buyer, begun, refund, refunds } = await underReview('amount = amount + 1')
  const earlier = (amount: number, state: string) =>
    t.change(
      buyer.companyId,
      `insert into refunds (company_id, payment_id, currency, amount, reason, asked_by, state, created_at, ended_at)
       values ($1, $2, 'NGN', $3, 'Earlier', 'desk', $4, $5, $5)`,
      [buyer.companyId, begun.id, amount, state, t.clock.now()],
    )
  await earlier(500_000, 'by_hand')
  await earlier(500_000, 'failed')
  await expect(refund('912.51')).rejects.toThrow('No more than 912.50 NGN')
  await t.change(buyer.companyId, `update payments set failure_code = 'reversed' where id = $1`, [begun.id])
  await expect(refund('0.01')).rejects.toThrow('No more than 0.00 NGN')
  expect(await refunds()).toHaveLength(2)
})

test('of a transfer no more is given back than came in at the bank: tax that the payer kept did not', async () => {
  await desk('seller', 'bank', '--currency', 'NGN', '--holder', 'Seller', '--bank', 'First', '--account', '0123456789')
  const buyer = await scene.buyer()
  const { payload } = (await buyer.buy({ payBy: 'transfer' })).body
  const company = ['--company', String(buyer.companyId)]
  const money = ['--amount', '5637.50', '--withheld', '275', '--certificate', 'WHT 1', '--reference', 'W1']
  await desk('payments', 'record', ...company, '--invoice', payload.invoice.serialNumber, ...money)
  // It is owed no more before anybody gives what it pays.
  await t.change(buyer.companyId, 'update purchases set voided_at = $1', [t.clock.now()])
  await scene.sweep()
  const { state, reference } = await buyer.row(payload.id)
  expect(state).toBe('review')
  const refund = (amount: string) =>
    desk('payments', 'resolve', 'refund', ...company, '--payment', reference, '--reason', 'Late', '--amount', amount)
  await expect(refund('5637.51')).rejects.toThrow('No more than 5637.50 NGN')
  await refund('5637.50')
})
