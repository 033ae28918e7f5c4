import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { page, paymentTest, receiveWebhooks } from '../../../test/payments.ts'

/** A signature as Stripe's, which is over the time and the body. */
function signedBy(secret: string, raw: Buffer, now: Date): string {
  const at = now.getTime() / 1000
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')}`
}

describe.each(['paystack', 'stripe'] as const)('webhooks of %s', (name) => {
  /** A payment on a page, and what its webhooks brought. */
  async function paid() {
    const t = await paymentTest(name)
    const received = await receiveWebhooks(t)
    const payment = t.toPay()
    const pay = async () => {
      const { url } = page(await t.provider.begin(payment))
      await t.peer.press(url, 'pay')
      await t.peer.webhooks.settled()
    }
    const read = () => received.map(({ raw, headers }) => t.provider.read(raw, headers))
    return { ...t, payment, pay, received, read }
  }

  test('name our payment; the same event has the same key, another one another', async () => {
    const t = await paid()
    await t.pay()
    await t.peer.webhooks.repeat()
    const events = t.read()
    const once = t.received.length / 2
    expect(events.slice(once)).toEqual(events.slice(0, once))
    expect(new Set(events.map((event) => event?.key)).size).toBe(once)
    for (const event of events) expect(event).toMatchObject({ about: 'payment', reference: t.payment.reference })
    const { providerRef } = await t.provider.ask(t.known(t.payment, { providerRef: events[0]?.providerRef ?? null }))
    expect(events.map((event) => event?.providerRef)).toEqual(events.map(() => providerRef))
  })

  test('come twice, late, before the answer, or after strange ones', async () => {
    const t = await paid()
    t.peer.webhooks.mode = 'late'
    await t.pay()
    expect(t.received).toHaveLength(0)
    await t.peer.webhooks.release('reversed')
    const late = t.read()
    t.peer.webhooks.mode = 'twice'
    const other = t.toPay()
    await t.provider.charge(other, t.card('ok'), t.keep)
    await t.peer.webhooks.settled()
    const twice = t.read().slice(late.length)
    expect(twice.map((event) => event?.reference)).toEqual([other.reference, other.reference])
    expect(twice[0]?.key).toBe(twice[1]?.key)
    t.peer.webhooks.mode = 'early'
    const charging = t.provider.charge(t.toPay(), t.card('slow'), t.keep)
    await expect.poll(() => t.read().length).toBe(late.length + 3)
    await charging
    t.peer.webhooks.mode = 'unknown'
    await t.provider.charge(t.toPay(), t.card('ok'), t.keep)
    await t.peer.webhooks.settled()
    expect(
      t
        .read()
        .slice(-2)
        .map((event) => event?.about)
        .sort(),
    ).toEqual(['other', 'payment'])
    t.peer.webhooks.mode = 'none'
    const before = t.received.length
    await t.provider.charge(t.toPay(), t.card('ok'), t.keep)
    await t.peer.webhooks.settled()
    expect(t.received).toHaveLength(before)
  })

  test('that are forged, changed, unsigned or of the other provider are nobody', async () => {
    const t = await paid()
    await t.pay()
    const { raw, headers } = t.received[0] ?? { raw: Buffer.alloc(0), headers: {} }
    expect(t.provider.read(raw, headers)).not.toBeNull()
    const header = name === 'paystack' ? 'x-paystack-signature' : 'stripe-signature'
    const signature = String(headers[header])
    const changed = Buffer.from(raw.toString('utf8').replace('1075000', '1075001'))
    expect(changed).not.toEqual(raw)
    for (const [body, given] of [
      [changed, signature],
      [raw, undefined],
      [raw, ''],
      [raw, signature.slice(0, -1)],
      [raw, signature.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))],
      [raw, 'é'.repeat(128)],
      [Buffer.alloc(0), signature],
    ] as const)
      expect(t.provider.read(body, { ...headers, [header]: given })).toBeNull()
    t.peer.webhooks.mode = 'forged'
    await t.provider.charge(t.toPay(), t.card('ok'), t.keep)
    await t.peer.webhooks.settled()
    expect(t.read().at(-1)).toBeNull()
    const other = (await paymentTest(name === 'paystack' ? 'stripe' : 'paystack')).provider
    expect(other.read(raw, headers)).toBeNull()
  })

  test('say of refunds and disputes which they are about', async () => {
    const t = await paid()
    const { providerRef } = await t.provider.charge(t.payment, t.card('ok'), t.keep)
    const settled = { reference: t.payment.reference, providerRef: providerRef ?? '' }
    const { refundRef } = await t.provider.refund(settled, t.payment.money, 'r')
    await t.peer.dispute(name, t.payment.reference)
    await t.peer.webhooks.settled()
    const events = t.read()
    const refunds = events.filter((event) => event?.about === 'refund')
    expect(refunds.map((event) => event?.providerRef)).toEqual([refundRef, refundRef])
    expect(new Set(refunds.map((event) => event?.key)).size).toBe(2)
    const dispute = events.find((event) => event?.about === 'dispute')
    expect(await t.provider.askDispute(dispute?.providerRef ?? '')).toMatchObject({ status: 'open', providerRef })
    await t.peer.endDispute(name, t.payment.reference, 'lost')
    expect(await t.provider.askDispute(dispute?.providerRef ?? '')).toMatchObject({ status: 'lost', providerRef })
    expect(await t.provider.askDispute('dp_404')).toBeNull()
  })

  test('that are signed and unreadable are thrown, so that the provider sends them again', async () => {
    const { provider, clock } = await paymentTest(name)
    const raw = Buffer.from('no json')
    const headers = {
      'x-paystack-signature': createHmac('sha512', 'sk_test_pretendbank').update(raw).digest('hex'),
      'stripe-signature': signedBy('whsec_pretendbank', raw, clock.now()),
    }
    expect(() => provider.read(raw, headers)).toThrow(SyntaxError)
  })
})

test('an event of Stripe is refused when it is older than five minutes', async () => {
  const t = await paymentTest('stripe')
  const received = await receiveWebhooks(t)
  await t.provider.charge(t.toPay(), t.card('ok'), t.keep)
  await t.peer.webhooks.settled()
  const { raw, headers } = received[0] ?? { raw: Buffer.alloc(0), headers: {} }
  t.clock.advance(300_000)
  expect(t.provider.read(raw, headers)).not.toBeNull()
  t.clock.advance(1_000)
  expect(t.provider.read(raw, headers)).toBeNull()
})

test.each(['whsec_old', 'whsec_pretendbank'])('each of the signing secrets of Stripe is good: %s', async (secret) => {
  const { provider, clock } = await paymentTest('stripe')
  const raw = Buffer.from('{"id":"evt_1","object":"event","type":"x.y","data":{"object":{"object":"x"}}}')
  const headers = { 'stripe-signature': signedBy(secret, raw, clock.now()) }
  expect(provider.read(raw, headers)).toMatchObject({ key: 'evt_1', name: 'x.y', about: 'other', reference: null })
})
