import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bundle, describeMoney } from '../../../test/money-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import { provider } from '../../commands/provider/provider.ts'
import { askPayment } from '../../core/billing/ask-payment.ts'
import { insertInvoice, nextNumber } from '../../core/billing/invoice-queries.ts'
import { yearIn } from '../../core/billing/invoices.ts'
import { insertPayment, paymentById } from '../../core/billing/payment-queries.ts'
import { newReference } from '../../core/billing/reference.ts'
import { settle } from '../../core/billing/settle.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { unseen } from '../../platform/payments/truth.ts'
import { reconcilePayments } from './reconcile.ts'

const scene = await describeMoney()
const { t, peer } = scene
const minuteMs = 60_000

const row = async (companyId: number, id: string) => {
  const found = await inTenant(t.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, id))
  if (!found) throw new Error(`no payment ${id}`)
  return found
}
const entries = (companyId: number) =>
  t.rows<{ kind: string; units: number }>('select kind, units from wallet_entries where company_id = $1', [companyId])
const post = (name: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: `/app/api/v1/payment-events/${name}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
/** The peer's secret key, which Paystack signs with. */
const signed = (raw: string) =>
  post('paystack', raw, {
    'x-paystack-signature': createHmac('sha512', 'sk_test_pretendbank').update(raw).digest('hex'),
  })

describe.each([
  ['paystack', 'NG'],
  ['stripe', 'DE'],
])('webhooks of %s', (name, country) => {
  test('that are forged, unsigned or cut short are refused with 401 and change nothing', async () => {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    await scene.deliver()
    peer.webhooks.mode = 'forged'
    await peer.press(begun.url, 'pay')
    expect(new Set(await scene.deliver())).toEqual(new Set([401]))
    peer.webhooks.mode = 'ordinary'
    const last = peer.webhooks.sent.at(-1)
    expect((await post(name, last?.raw ?? '')).statusCode).toBe(401)
    expect((await post(name, last?.raw.slice(0, -1) ?? '', last?.headers)).statusCode).toBe(401)
    expect((await post(name, '', last?.headers)).statusCode).toBe(401)
    const known = await t.pool.query('select from payment_events where reference = $1', [
      (await row(buyer.companyId, begun.id)).reference,
    ])
    expect([known.rowCount, (await buyer.payment(begun.id)).state, await buyer.units()]).toEqual([0, 'action', 0])
  })

  test('that come twice at once, again, and in another order give the units once', async () => {
    const buyer = await scene.buyer({ country })
    const [one, two] = [await buyer.begin(), await buyer.begin({ units: 1_000, kind: 'sms' })]
    expect(two.id).toBe(one.id)
    peer.webhooks.mode = 'twice'
    await peer.press(one.url, 'pay')
    await scene.deliver('reversed')
    peer.webhooks.mode = 'ordinary'
    // Everything that was ever sent, the forged ones too.
    await peer.webhooks.repeat()
    expect(await scene.deliver()).toContain(200)
    await Promise.all([buyer.check(one.id), buyer.check(one.id), scene.sweep(), scene.sweep()])
    expect(await entries(buyer.companyId)).toEqual([{ kind: 'bought', units: 1_000 }])
    expect((await buyer.serials()).length).toBe(1)
  })

  test('that never come, or come days late: the sweep settles, and the late one changes nothing', async () => {
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    peer.webhooks.mode = 'late'
    await peer.press(begun.url, 'pay')
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect((await buyer.payment(begun.id)).state).toBe('succeeded')
    await peer.webhooks.release('reversed')
    peer.webhooks.mode = 'ordinary'
    expect(new Set(await scene.deliver())).toEqual(new Set([200]))
    expect(await buyer.units()).toBe(1_000)
  })

  test('of an unknown kind are taken, and do nothing', async () => {
    peer.webhooks.mode = 'unknown'
    const buyer = await scene.buyer({ country })
    const begun = await buyer.begin()
    await peer.press(begun.url, 'pay')
    expect(new Set(await scene.deliver())).toEqual(new Set([200]))
    peer.webhooks.mode = 'ordinary'
    expect(await buyer.units()).toBe(1_000)
  })
})

test('an event that is signed and no JSON is a 400, one that is too large a 413, one of another installation is taken and ignored', async () => {
  expect((await signed('no json')).statusCode).toBe(400)
  expect((await signed('x'.repeat(300_000))).statusCode).toBe(413)
  const foreign = { event: 'charge.success', data: { id: 7, reference: 'iso-abcdefgh-1-p-x' } }
  expect((await signed(JSON.stringify(foreign))).statusCode).toBe(200)
  await t.runJobs()
})

describe('twenty at once', () => {
  test('settle one payment once', async () => {
    const buyer = await scene.buyer()
    const begun = await buyer.begin()
    await peer.press(begun.url, 'pay')
    const payment = await row(buyer.companyId, begun.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => askPayment(t.services, buyer.companyId, payment)),
    )
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['succeeded']))
    expect(await entries(buyer.companyId)).toHaveLength(1)
    expect(await buyer.serials()).toHaveLength(1)
  })

  test('invoices of a company have the numbers from 1 on without a gap, those that fail none; another company begins at 1', async () => {
    const buyer = await scene.buyer()
    const other = await scene.buyer()
    const pay = async (who: typeof buyer) => {
      const { id, url } = await who.begin()
      await peer.press(url, 'pay')
      // No more than five may wait for a payer: this one is paid already.
      await t.change(who.companyId, `update payments set state = 'cancelled' where id = $1`, [id])
      return { id, companyId: who.companyId }
    }
    const begun = []
    for (let i = 0; i < 12; i++) begun.push(await pay(await scene.buyer({ company: buyer })))
    begun.push(await pay(other))
    const failing = inTenant(t.pool, buyer.companyId, async ({ tx }) => {
      const of = { tx, companyId: buyer.companyId }
      await nextNumber(of, `INV-${yearIn('Africa/Lagos', t.clock.now())}`)
      throw new Error('as it should')
    })
    await Promise.all([
      expect(failing).rejects.toThrow('as it should'),
      ...begun.map(async ({ companyId, id }) => askPayment(t.services, companyId, await row(companyId, id))),
    ])
    const year = yearIn('Africa/Lagos', t.clock.now())
    const serial = (number: number) => `INV-${year}-${String(number).padStart(4, '0')}`
    expect((await buyer.serials()).sort()).toEqual(Array.from({ length: 12 }, (_, i) => serial(i + 1)))
    expect(await other.serials()).toEqual([serial(1)])
    expect(await buyer.units()).toBe(12_000)
  })
})

test('an invoice says what was bought, by whom and with which taxes, and nobody can change it', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  const moved = { name: 'Acme Moved', address: 'Elsewhere', country: 'DE', taxNumber: 'X1' }
  await t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body: moved })
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  const { body } = await t.call('POST', '/enterprise/billings', { token: buyer.token, body: {} })
  expect(body.payload.data).toMatchObject([
    {
      net: 550_000,
      taxes: [{ name: 'VAT', basisPoints: 750, amount: 41_250 }],
      amount: 591_250,
      currency: 'NGN',
      lines: [{ what: 'units', kind: 'sms', quantity: 1_000, net: 550_000 }],
      seller: { name: 'Seller Ltd' },
      buyer: { name: 'Acme Foods', country: 'NG' },
    },
  ])
  const pdf = async () => {
    const answer = await t.app.inject({
      url: `/app/api/v1/enterprise/billings/${body.payload.data[0].id}/pdf`,
      headers: { authorization: `Bearer ${buyer.token}` },
    })
    return answer.rawPayload
  }
  const first = await pdf()
  const text = await textOf(first, 'application/pdf')
  for (const part of ['INV-', 'Acme Foods', 'Seller Ltd', '1,000 SMS units', 'VAT 7.5', '5,912.50'])
    expect(text).toContain(part)
  t.clock.advance(400 * 24 * 60 * minuteMs)
  expect((await pdf()).equals(first)).toBe(true)
  for (const statement of ['update invoices set net = 1', 'delete from invoices'])
    await expect(inTenant(t.pool, buyer.companyId, ({ client }) => client.query(statement))).rejects.toThrow(
      'permission denied',
    )
})

describe('money that does not fit', () => {
  test('is kept for a person to look at, and gives nothing', async () => {
    const buyer = await scene.buyer()
    const begun = await buyer.begin()
    await t.change(buyer.companyId, 'update payments set amount = amount + 1 where id = $1', [begun.id])
    await peer.press(begun.url, 'pay')
    expect((await buyer.check(begun.id)).body.payload.state).toBe('review')
    expect([await buyer.units(), await buyer.serials()]).toEqual([0, []])
    const lines: string[] = []
    await provider(['payments', 'list'], { pool: t.pool, out: (line) => void lines.push(line) })
    const { reference } = await row(buyer.companyId, begun.id)
    expect(lines.find((line) => line.includes(reference))).toMatch(/review.*5912\.51 NGN.*other_amount/)
    const told = (await t.mails()).filter(({ subject }) => subject.includes(reference))
    expect(told.map(({ to, text }) => [to, text.includes('Another amount or currency was paid.')])).toEqual([
      ['desk@seller.test', true],
    ])
    // Nothing moves it from there by itself.
    await scene.deliver()
    t.clock.advance(61 * minuteMs)
    await scene.sweep()
    expect((await buyer.payment(begun.id)).state).toBe('review')
  })

  test('is that of a second payment of one purchase', async () => {
    const buyer = await scene.buyer()
    const begun = await buyer.begin()
    const { companyId } = buyer
    const first = await row(companyId, begun.id)
    await t.change(companyId, `update payments set state = 'cancelled' where id = $1`, [begun.id])
    const { purchase_id, provider, currency, amount, created_at, closes_at, check_at } = first
    const same = { purchase_id, provider, currency, amount, created_at, closes_at, check_at }
    const second = await inTenant(t.pool, companyId, ({ tx }) =>
      insertPayment({ tx, companyId }, { ...same, reference: newReference(t.services.secret, companyId) }),
    )
    const paid = (reference: string) => ({
      ...unseen(reference, 'success'),
      money: { amount: BigInt(amount), currency },
      providerRef: '1',
    })
    const settled = await Promise.all([
      settle(t.services, companyId, first.id, paid(first.reference)),
      settle(t.services, companyId, second.id, paid(second.reference)),
    ])
    expect(settled.map(({ state }) => state).sort()).toEqual(['review', 'succeeded'])
    expect(await buyer.units()).toBe(1_000)
  })
})

describe('a server that is killed', () => {
  test('before it called the provider leaves a payment that the sweep gives up; the next try works', async () => {
    const buyer = await scene.buyer()
    const begun = await buyer.begin()
    // As the commit of the intent left it: without a page, of a reference that the provider never saw.
    await t.change(
      buyer.companyId,
      `update payments set state = 'created', page_url = null, session_ref = null, reference = $2 where id = $1`,
      [begun.id, newReference(t.services.secret, buyer.companyId)],
    )
    expect((await buyer.buy()).body.payload).toMatchObject({ id: begun.id, state: 'checking', url: null })
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect((await buyer.payment(begun.id)).state).toBe('cancelled')
    expect((await buyer.begin()).id).not.toBe(begun.id)
  })

  test('between the charge and its settlement gives what was paid once it is back', async () => {
    const buyer = await scene.buyer()
    peer.webhooks.mode = 'none'
    const begun = await buyer.begin()
    await peer.press(begun.url, 'pay')
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    peer.webhooks.mode = 'ordinary'
    expect([await buyer.units(), (await buyer.serials()).length]).toEqual([1_000, 1])
  })

  test('in the middle of settling gives nothing, and later all of it', async () => {
    const buyer = await scene.buyer()
    const begun = await buyer.begin()
    await peer.press(begun.url, 'pay')
    // Without a seller the invoice fails, after the payment and the purchase were written.
    await t.pool.query('delete from seller')
    expect((await buyer.check(begun.id)).body.payload.state).toBe('action')
    expect([await buyer.units(), await buyer.serials()]).toEqual([0, []])
    await scene.setSeller()
    t.clock.advance(3 * minuteMs)
    await scene.sweep()
    expect([await buyer.units(), (await buyer.serials()).length]).toEqual([1_000, 1])
  })
})

test('a provider that does not answer changes nothing but when it is asked again', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  const before = await row(buyer.companyId, begun.id)
  for (const trouble of ['drop', 'broken', 'garbage', 'busy', 'redirect'] as const) {
    t.clock.advance(3 * minuteMs)
    peer.trouble(trouble)
    expect((await buyer.check(begun.id)).body.payload.state).toBe('action')
  }
  const { check_at: checkAt } = await row(buyer.companyId, begun.id)
  expect(checkAt?.getTime()).toBeGreaterThan(before.check_at?.getTime() ?? 0)
  t.clock.advance(3 * minuteMs)
  expect((await buyer.check(begun.id)).body.payload.state).toBe('succeeded')
})

test('however often a screen asks, the provider is asked once in two seconds', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await buyer.check(begun.id)
  await peer.press(begun.url, 'pay')
  expect((await buyer.check(begun.id)).body.payload.state).toBe('action')
  t.clock.advance(2_000)
  expect((await buyer.check(begun.id)).body.payload.state).toBe('succeeded')
})

test('a payment that is paid and cannot be settled is tried again for as long as it takes', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  await t.pool.query('delete from seller')
  for (let day = 0; day < 9; day++) {
    t.clock.advance(24 * 60 * minuteMs)
    await scene.sweep()
  }
  expect(await buyer.units()).toBe(0)
  await scene.setSeller()
  t.clock.advance(61 * minuteMs)
  await scene.sweep()
  expect([await buyer.units(), (await buyer.serials()).length]).toEqual([1_000, 1])
})

test('no payment is asked for after a week', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  for (let day = 0; day < 8; day++) {
    t.clock.advance(24 * 60 * minuteMs)
    await scene.sweep()
  }
  expect(await row(buyer.companyId, begun.id)).toMatchObject({ state: 'cancelled', check_at: null })
})

test.each([
  ['Paystack', 'NG'],
  ['Stripe', 'DE'],
])(
  'each night what %s says was paid is settled, and what nobody knows is told to the operator',
  async (_name, country) => {
    const buyer = await scene.buyer({ country })
    peer.webhooks.mode = 'none'
    const [missed, lost] = [await buyer.begin(), await (await scene.buyer({ country, company: buyer })).begin()]
    const { reference } = await row(buyer.companyId, lost.id)
    await peer.press(missed.url, 'pay')
    await peer.press(lost.url, 'pay')
    peer.webhooks.mode = 'ordinary'
    await t.change(buyer.companyId, `update payments set state = 'cancelled', check_at = null where id = $1`, [
      missed.id,
    ])
    // As a database from before the payment would not know it.
    const other = newReference(t.services.secret, buyer.companyId)
    await t.change(buyer.companyId, 'update payments set reference = $2 where id = $1', [lost.id, other])
    await reconcilePayments.run(t.services, {})
    expect([(await buyer.payment(missed.id)).state, await buyer.units()]).toEqual(['succeeded', 1_000])
    const told = (await t.mails()).filter(({ text }) => text.includes(reference))
    expect(told.map(({ to }) => to)).toEqual(['desk@seller.test'])
  },
)

test('a decline on the page leaves it open for another try', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'decline')
  expect((await buyer.check(begun.id)).body.payload.state).toBe('action')
  await peer.press(begun.url, 'pay')
  t.clock.advance(5_000)
  expect((await buyer.check(begun.id)).body.payload.state).toBe('succeeded')
})

test('a payment that fails at the bank says why, and the next one is a new one', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'otp')
  await peer.press(begun.url, 'pay', { otp: '000000' })
  expect((await buyer.check(begun.id)).body.payload).toMatchObject({ state: 'failed', reason: expect.any(String) })
  expect((await buyer.begin()).id).not.toBe(begun.id)
})

test('two invoices of one purchase, or one number twice, are refused by the database', async () => {
  const buyer = await scene.buyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  const { companyId } = buyer
  const { purchase_id: purchaseId } = await row(companyId, begun.id)
  const again = (purchase_id: string, number: number) =>
    inTenant(t.pool, companyId, ({ tx }) =>
      insertInvoice(
        { tx, companyId },
        {
          ...{ series: `INV-${yearIn('Africa/Lagos', t.clock.now())}`, number, purchase_id, currency: 'NGN' },
          ...{ net: '1', tax: '0', total: '1', taxes: [], lines: [], seller: {}, buyer: {} },
          ...{ locale: 'en', zone: 'UTC', issued_at: t.clock.now() },
        },
      ),
    )
  await expect(again(purchaseId, 2)).rejects.toThrow('invoices_of_purchase')
  const other = await buyer.begin()
  const { purchase_id: next } = await row(companyId, other.id)
  await expect(again(next, 1)).rejects.toThrow('duplicate key')
})

test('a company that has expired may pay', async () => {
  const buyer = await scene.buyer()
  await t.change(buyer.companyId, `update companies set subscription_until = $1`, [new Date(0)])
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  expect((await buyer.check(begun.id)).body.payload.state).toBe('succeeded')
  expect(await buyer.units()).toBe(bundle.units)
})
