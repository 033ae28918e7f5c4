import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildUser } from '../../../test/factories.ts'
import { describeMoney } from '../../../test/money-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import { trailOf } from '../../../test/trail.ts'
import { disputeTold, sweepDisputes } from '../../features/billing/event-jobs.ts'
import { askRefund, sweepRefunds } from '../../features/billing/refund-jobs.ts'

const scene = await describeMoney({ refundsAtOnce: false })
const { t, peer, desk } = scene
const minuteMs = 60_000

const referenceOf = async (id: string) =>
  (await t.rows<{ reference: string }>('select reference from payments where id = $1', [id]))[0]?.reference ?? ''
const refundsOf = (companyId: number) =>
  t.rows<{ id: string; state: string; amount: string }>(
    'select id, state, amount from refunds where company_id = $1 order by id',
    [companyId],
  )
const documents = async (token: string) =>
  (await t.call('POST', '/enterprise/billings', { token, body: {} })).body.payload.data
const moved = (reference: string) =>
  peer.movements.filter((one) => one.kind === 'refund' && one.reference === reference).map(({ amount }) => amount)
const sweep = async () => {
  t.clock.advance(2 * minuteMs)
  await sweepRefunds.run(t.services, {})
}

/** 1,000 units that are paid; the options name the payment. */
async function paid(country = 'NG') {
  const buyer = await scene.buyer({ country })
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  const reference = await referenceOf(begun.id)
  const options = ['--company', String(buyer.companyId), '--payment', reference, '--reason', 'Wrong kind']
  return { buyer, begun, reference, options }
}

describe.each([
  ['Paystack', 'NG', '5912.50', '2956.25'],
  ['Stripe', 'DE', '5500', '2750'],
])('a refund by %s', (_name, country, all, half) => {
  test('of everything is a credit note, the units back, and then the money', async () => {
    const { buyer, reference, options } = await paid(country)
    const said = await desk('payments', 'refund', ...options, '--amount', all)
    expect(said.join('\n')).toMatch(/Credit note CN-\d{4}-0001\n1000 of 1000 units .* taken back/)
    // Committed before anybody was asked.
    expect([await buyer.units(), moved(reference)]).toEqual([0, []])
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'created' }])
    await sweep()
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'pending' }])
    await peer.finishRefunds('processed')
    await scene.deliver()
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'succeeded' }])
    await sweep()
    expect(moved(reference)).toEqual([BigInt(Math.round(Number(all) * 100))])
    const [note, invoice] = await documents(buyer.token)
    expect(invoice).toMatchObject({ kind: 'invoice', state: 'credited' })
    expect(note).toMatchObject({
      ...{ kind: 'creditNote', state: null, reason: 'Wrong kind', net: -550_000, amount: -invoice.amount },
      refersTo: { id: invoice.id, serialNumber: invoice.serialNumber },
      taxes: invoice.taxes.map((tax: { amount: number }) => ({ ...tax, amount: -tax.amount })),
    })
  })

  test('of parts never gives back more than was paid, and the parts add up to the whole', async () => {
    const { buyer, options } = await paid(country)
    const cents = Number(all) * 100
    await desk('payments', 'refund', ...options, '--amount', half)
    await expect(desk('payments', 'refund', ...options, '--amount', all)).rejects.toThrow('No more than')
    await desk('payments', 'refund', ...options, '--amount', '0.01')
    const rest = ((cents - Number(half) * 100 - 1) / 100).toFixed(2)
    await desk('payments', 'refund', ...options, '--amount', rest)
    await expect(desk('payments', 'refund', ...options, '--amount', '0.01')).rejects.toThrow('No more than')
    const all3 = await documents(buyer.token)
    expect(all3.map(({ serialNumber }: { serialNumber: string }) => serialNumber.slice(0, 2))).toEqual([
      'CN',
      'CN',
      'CN',
      'IN',
    ])
    const sum = (field: 'net' | 'amount') =>
      all3.reduce((total: number, one: Record<'net' | 'amount', number>) => total + one[field], 0)
    expect([sum('net'), sum('amount'), await buyer.units()]).toEqual([0, 0, 0])
    expect((await trailOf(t, buyer.companyId)).filter(({ action }) => action === 'billing.credited')).toHaveLength(3)
  })

  test('whose answers are lost is made once', async () => {
    const { buyer, reference, options } = await paid(country)
    await desk('payments', 'refund', ...options, '--amount', half)
    const [{ id } = { id: '' }] = await refundsOf(buyer.companyId)
    // The provider is asked for the refunds that there are, then for a new one.
    for (const troubles of [['drop'], [null, 'lost'], [null, 'lost', 'lost'], [null, 'broken']] as const) {
      peer.trouble(...troubles)
      t.clock.advance(2 * minuteMs)
      // Two at once, as the sweep and an event of the provider: one of them asks.
      await Promise.all([1, 2].map(() => askRefund(t.services, buyer.companyId, id)))
    }
    peer.trouble()
    await sweep()
    await peer.finishRefunds('processed')
    for (let i = 0; i < 3; i++) await sweep()
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'succeeded' }])
    expect(moved(reference)).toHaveLength(1)
  })

  test.each([
    ['failed', 'failed', 'a refund failed'],
    ['needs-attention', 'attention', 'a refund waits for you'],
  ] as const)('that ends as %s is told to the operator once', async (result, state, subject) => {
    const { buyer, reference, options } = await paid(country)
    await desk('payments', 'refund', ...options, '--amount', half)
    await sweep()
    await peer.finishRefunds(result)
    await scene.deliver()
    await sweep()
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state }])
    const told = (await t.mails()).filter((mail) => mail.subject.includes(subject) && mail.subject.includes(reference))
    expect(told.map(({ to }) => to)).toEqual(['desk@seller.test'])
    expect((await desk('payments', 'list')).join('\n')).toContain(`refund ${state}`)
  })

  test('in the provider’s dashboard is told to the operator, who issues its credit note by hand', async () => {
    const { buyer, reference, options } = await paid(country)
    await peer.refundByHand(country === 'NG' ? 'paystack' : 'stripe', reference, 10_000)
    await scene.deliver()
    const told = (await t.mails()).filter(({ subject }) => subject.includes('did not ask for'))
    expect(told.at(-1)?.text).toContain(`Company ${buyer.companyId}`)
    await desk('payments', 'refund', ...options, '--amount', '100', '--by-hand')
    await sweep()
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'by_hand', amount: '10000' }])
  })
})

test('units that are spent or reserved are not taken back', async () => {
  const { buyer, options } = await paid()
  await t.change(buyer.companyId, `update wallets set balance = 700, reserved = 300 where kind = 'sms'`)
  const said = await desk('payments', 'refund', ...options, '--amount', '5912.50')
  expect(said).toContain('400 of 1000 units were left, and are taken back')
  expect(await buyer.units()).toBe(300)
  const { body } = await t.call('GET', '/wallet/sms/transactions', { token: buyer.token })
  expect(body.payload.data[0]).toMatchObject({ kind: 'adjusted', units: -400, balanceAfter: 300 })
})

test('the credit note is a PDF of its own, with the invoice that it takes back', async () => {
  const { buyer, options } = await paid()
  await desk('payments', 'refund', ...options, '--amount', '2956.25')
  const [note, invoice] = await documents(buyer.token)
  const answer = await t.app.inject({
    url: `/app/api/v1/enterprise/billings/${note.id}/pdf`,
    headers: { authorization: `Bearer ${buyer.token}` },
  })
  const text = await textOf(answer.rawPayload, 'application/pdf')
  for (const part of [`Credit note ${note.serialNumber}`, invoice.serialNumber, 'Wrong kind', '2,956.25'])
    expect(text).toContain(part)
})

test.each([
  ['nothing', ['--amount', '0'], 'more than 0'],
  ['more than was paid', ['--amount', '5912.51'], 'No more than 5912.50'],
])('a refund of %s is refused, and nothing is kept', async (_what, more, message) => {
  const { buyer, options } = await paid()
  await expect(desk('payments', 'refund', ...options, ...more)).rejects.toThrow(message)
  expect([await buyer.units(), await refundsOf(buyer.companyId)]).toEqual([1_000, []])
})

test('a payment of another company, or one that is not paid, is not refunded', async () => {
  const { reference } = await paid()
  const other = await scene.buyer()
  const begun = await other.begin()
  const of = ['--company', String(other.companyId), '--amount', '1', '--reason', 'x']
  await expect(desk('payments', 'refund', ...of, '--payment', reference)).rejects.toThrow('no such payment')
  const open = await referenceOf(begun.id)
  await expect(desk('payments', 'refund', ...of, '--payment', open)).rejects.toThrow('Nothing was paid')
})

describe.each([
  ['paystack', 'NG'],
  ['stripe', 'DE'],
] as const)('a dispute at %s', (name, country) => {
  const mails = async (reference: string) =>
    (await t.mails()).filter(({ subject }) => subject.includes('disput') && subject.includes(reference))

  test('is told to the Admins and the operator; what was bought stays, and a credit note follows only where it is lost', async () => {
    const { buyer, reference } = await paid(country)
    const manager = await buildUser(t, { company: buyer, role: 'manager' })
    await peer.dispute(name, reference)
    await scene.deliver()
    const { body } = await t.call('GET', '/enterprise/notifications', { token: manager.token })
    expect(body.payload.data.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringContaining('A bank disputes your payment of'),
    ])
    expect((await mails(reference)).map(({ to }) => to).sort()).toEqual([buyer.email, 'desk@seller.test'].sort())
    expect((await desk('payments', 'list')).find((line) => line.includes(reference))).toContain('disputed')
    expect([await buyer.units(), (await documents(buyer.token)).length]).toEqual([1_000, 1])
    await peer.endDispute(name, reference, 'lost')
    await scene.deliver()
    const [note, invoice] = await documents(buyer.token)
    expect([note.kind, invoice.state, await buyer.units()]).toEqual(['creditNote', 'credited', 0])
    expect(await refundsOf(buyer.companyId)).toMatchObject([{ state: 'by_hand' }])
    expect(await mails(reference)).toHaveLength(4)
    await peer.webhooks.repeat()
    await scene.deliver('reversed')
    expect([(await documents(buyer.token)).length, (await mails(reference)).length]).toEqual([2, 4])
  })

  test('that is won changes nothing but that it is said', async () => {
    const { buyer, reference } = await paid(country)
    await peer.dispute(name, reference)
    await peer.endDispute(name, reference, 'won')
    await scene.deliver()
    expect([await buyer.units(), (await documents(buyer.token)).length]).toEqual([1_000, 1])
    expect((await desk('payments', 'list')).some((line) => line.includes(reference))).toBe(false)
  })
})

test.each([
  ['paystack', 'NG'],
  ['stripe', 'DE'],
] as const)('a dispute at %s whose last event was lost ends with the next night', async (name, country) => {
  const { buyer, reference } = await paid(country)
  await peer.dispute(name, reference)
  await scene.deliver()
  peer.webhooks.mode = 'none'
  await peer.endDispute(name, reference, 'lost')
  peer.webhooks.mode = 'ordinary'
  await scene.deliver()
  expect((await documents(buyer.token)).length).toBe(1)
  await sweepDisputes.run(t.services, {})
  await sweepDisputes.run(t.services, {})
  expect([(await documents(buyer.token)).length, await buyer.units()]).toEqual([2, 0])
})

test('an event that is signed, of a dispute that the provider does not have, changes nothing', async () => {
  const { buyer, reference } = await paid()
  const transaction = { id: 1, domain: 'test', reference }
  const data = { id: 404_404, status: 'resolved', resolution: 'merchant-accepted', domain: 'test', transaction }
  const raw = JSON.stringify({ event: 'charge.dispute.resolve', data })
  const answer = await t.app.inject({
    ...{ method: 'POST', url: '/app/api/v1/payment-events/paystack', payload: raw },
    headers: {
      'content-type': 'application/json',
      'x-paystack-signature': createHmac('sha512', 'sk_test_pretendbank').update(raw).digest('hex'),
    },
  })
  expect(answer.statusCode).toBe(200)
  await disputeTold.run(t.services, { provider: 'paystack', disputeRef: '404404' })
  expect([(await documents(buyer.token)).length, await buyer.units()]).toEqual([1, 1_000])
  expect((await desk('payments', 'list')).some((line) => line.includes(reference))).toBe(false)
})

describe('a payment under review', () => {
  async function underReview(country = 'NG') {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    await t.change(buyer.companyId, 'update payments set amount = amount + 1 where id = $1', [begun.id])
    await peer.press(begun.url, 'pay')
    expect((await buyer.check(begun.id)).body.payload.state).toBe('review')
    const reference = await referenceOf(begun.id)
    return { buyer, begun, reference, options: ['--company', String(buyer.companyId), '--payment', reference] }
  }
  const because = ['--reason', 'The bank took a fee']

  test('is given all the same where the operator says so', async () => {
    const { buyer, begun, options } = await underReview()
    await desk('payments', 'resolve', 'give', ...options, ...because)
    await scene.sweep()
    expect((await buyer.payment(begun.id)).state).toBe('succeeded')
    expect([await buyer.units(), (await buyer.serials()).length]).toEqual([1_000, 1])
    const [entry] = (await trailOf(t, buyer.companyId)).filter(({ action }) => action === 'billing.resolved')
    expect(entry?.after).toMatchObject({ decision: 'give', reason: 'The bank took a fee', by: expect.any(String) })
  })

  test('is given back: there is no invoice, and so no credit note', async () => {
    const { buyer, begun, reference, options } = await underReview()
    await desk('payments', 'resolve', 'refund', ...options, ...because, '--amount', '5912.50')
    await sweep()
    await peer.finishRefunds('processed')
    await sweep()
    expect(moved(reference)).toEqual([591_250n])
    expect([(await buyer.payment(begun.id)).state, await buyer.serials()]).toEqual(['closed', []])
  })

  test('is closed, and nothing that comes later opens it again', async () => {
    const { buyer, begun, options } = await underReview()
    await desk('payments', 'resolve', 'close', ...options, ...because)
    await peer.webhooks.repeat()
    await scene.deliver()
    expect([(await buyer.payment(begun.id)).state, await buyer.units()]).toEqual(['closed', 0])
    await expect(desk('payments', 'resolve', 'give', ...options, ...because)).rejects.toThrow('not under review')
  })

  test('needs a reason, a decision that there is, and something to give', async () => {
    const { buyer, begun, options } = await underReview()
    await expect(desk('payments', 'resolve', 'give', ...options)).rejects.toThrow('--reason')
    await expect(desk('payments', 'resolve', 'keep', ...options, ...because)).rejects.toThrow('give or refund or close')
    await t.change(buyer.companyId, `update payments set failure_code = 'paid_twice' where id = $1`, [begun.id])
    await expect(desk('payments', 'resolve', 'give', ...options, ...because)).rejects.toThrow('nothing to give')
    expect((await buyer.payment(begun.id)).state).toBe('review')
  })
})
