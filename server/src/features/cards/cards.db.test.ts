import type { Card } from '@isotherm/contract/cards.ts'
import { describe, expect, test } from 'vitest'
import { type Buyer, describeMoney } from '../../../test/money-scene.ts'
import { type CardRow, cardById } from '../../core/billing/card-queries.ts'
import { forgetCard } from '../../core/billing/forget-card.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { sweepKept } from '../../sweep-kept.ts'

const scene = await describeMoney()
const { t, peer } = scene
const hourMs = 3_600_000

const call = (who: Buyer, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) =>
  t.call(method, `/enterprise/cards${path}`, { token: who.token, body })
const listed = async (who: Buyer) => (await call(who, 'GET')).body.payload
const card = async (who: Buyer, id: string): Promise<Card> =>
  (await listed(who)).cards.find((one: Card) => one.id === id)
async function row({ companyId }: Buyer, id: string): Promise<CardRow> {
  const found = await inTenant(t.pool, companyId, ({ tx }) => cardById({ tx, companyId }, id))
  if (!found) throw new Error(`no card ${id}`)
  return found
}
const german = () => scene.buyer({ country: 'DE' })

describe('a card that is added without a payment', () => {
  const add = async (who: Buyer) => {
    const { status, body } = await call(who, 'POST')
    expect(status).toBe(200)
    return body.payload as { id: string; url: string }
  }
  const check = async (who: Buyer, id: string) =>
    (await t.call('POST', `/enterprise/card-pages/${id}/check`, { token: who.token })).body.payload.card

  test('is kept once its payer has entered it on the page, and then pays; no money moved', async () => {
    const buyer = await german()
    const page = await add(buyer)
    expect(await check(buyer, page.id)).toBeNull()
    const moved = peer.movements.length
    await peer.press(page.url, 'pay')
    const kept = await check(buyer, page.id)
    expect(kept).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/), state: 'usable', isDefault: true })
    expect((await check(buyer, page.id)).id).toBe(kept.id)
    expect(peer.movements).toHaveLength(moved)
    expect((await listed(buyer)).cards).toHaveLength(1)
    const paid = await buyer.buy({ cardId: kept.id })
    expect([paid.status, paid.body.payload.state]).toEqual([200, 'succeeded'])
    expect(await buyer.units()).toBe(1_000)
  })

  test('is kept by the event alone, and the same card again is the known one', async () => {
    const buyer = await german()
    for (let i = 0; i < 2; i++) {
      const page = await add(buyer)
      await peer.press(page.url, 'pay')
      await scene.deliver()
    }
    expect((await listed(buyer)).cards).toHaveLength(1)
  })

  test('of another company is not there', async () => {
    const [one, two] = [await german(), await german()]
    const page = await add(one)
    await peer.press(page.url, 'pay')
    expect((await t.call('POST', `/enterprise/card-pages/${page.id}/check`, { token: two.token })).status).toBe(404)
    await check(one, page.id)
    expect((await listed(two)).cards).toEqual([])
  })

  test('needs a payment where the provider keeps cards by one only, and the answer says so', async () => {
    const buyer = await scene.buyer()
    expect((await listed(buyer)).adding).toBe('payment')
    expect((await listed(await german())).adding).toBe('page')
    const { status, body } = await call(buyer, 'POST')
    expect([status, body.code]).toEqual([400, 'CARD_NEEDS_PAYMENT'])
    const { url, id } = await buyer.begin({ keepCard: true })
    await peer.press(url, 'pay')
    await buyer.check(id)
    expect((await listed(buyer)).cards).toMatchObject([{ last4: '4081', isDefault: true, bank: 'TEST BANK' }])
  })

  test('is 503 while the provider does not answer', async () => {
    const buyer = await german()
    peer.trouble('drop')
    expect((await call(buyer, 'POST')).status).toBe(503)
  })
})

test('nothing that leaves the server or stands in the database shows a code of a card', async () => {
  const buyer = await scene.buyer()
  const id = await buyer.saveCard('ok', { token: 'AUTH_ok_secret' })
  const { body } = await call(buyer, 'GET')
  expect(JSON.stringify(body)).not.toContain('AUTH_ok_secret')
  const { token_sealed: sealed } = await row(buyer, id)
  expect(sealed?.length).toBeGreaterThan(40)
  expect(sealed?.includes('AUTH_ok_secret')).toBe(false)
})

test('the first choice is one of those that can be charged', async () => {
  const buyer = await scene.buyer()
  const one = await buyer.saveCard('ok')
  t.clock.advance(1_000)
  const two = await buyer.saveCard('nofunds')
  expect([(await card(buyer, one)).isDefault, (await card(buyer, two)).isDefault]).toEqual([true, false])
  expect((await call(buyer, 'PATCH', `/${two}`, { isDefault: true })).body.payload).toMatchObject({ isDefault: true })
  expect([(await card(buyer, one)).isDefault, (await card(buyer, two)).isDefault]).toEqual([false, true])
  expect((await call(buyer, 'PATCH', `/${two}`, { isDefault: false })).status).toBe(422)
  expect((await call(await scene.buyer(), 'PATCH', `/${two}`, { isDefault: true })).status).toBe(404)
})

describe('removing a card', () => {
  test('tells the provider after the commit, again until it answers, and then forgets the code', async () => {
    const buyer = await german()
    const id = await buyer.saveCard('ok', { token: `pm_ok_${Date.now()}` })
    expect((await call(buyer, 'DELETE', `/${id}`)).body.payload).toEqual({ renewsByPage: 0, topUpsOff: 0 })
    peer.trouble('broken')
    await expect(forgetCard.run(t.services, { companyId: buyer.companyId, cardId: id })).rejects.toThrow()
    expect((await row(buyer, id)).token_sealed).not.toBeNull()
    await t.runJobs()
    expect((await row(buyer, id)).token_sealed).toBeNull()
    expect((await call(buyer, 'DELETE', `/${id}`)).status).toBe(404)
    expect((await buyer.buy({ cardId: id })).status).toBe(404)
  })

  test('is refused while its charge is under way', async () => {
    const buyer = await scene.buyer()
    const id = await buyer.saveCard('pending')
    expect((await buyer.buy({ cardId: id })).body.payload.state).toBe('checking')
    const { status, body } = await call(buyer, 'DELETE', `/${id}`)
    expect([status, body.code]).toEqual([400, 'PAYMENT_UNDER_WAY'])
    await peer.finishPending('success')
    await scene.deliver()
    expect((await call(buyer, 'DELETE', `/${id}`)).status).toBe(200)
  })
})

describe('paying units with a saved card', () => {
  test.each([
    ['paystack', 'NG'],
    ['stripe', 'DE'],
  ])('by %s gives them at once, or says in words why not', async (_, country) => {
    const buyer = await scene.buyer({ country })
    const paid = await buyer.buy({ cardId: await buyer.saveCard('ok') })
    expect([paid.status, paid.body.payload]).toMatchObject([200, { state: 'succeeded', url: null }])
    const broke = await buyer.buy({ cardId: await buyer.saveCard('nofunds') })
    expect([broke.status, broke.body.code]).toEqual([400, 'PAYMENT_DECLINED'])
    expect(broke.body.message).toContain('not enough money')
    const lost = await buyer.saveCard('expired')
    expect((await buyer.buy({ cardId: lost })).body.message).toContain('expired')
    expect(await card(buyer, lost)).toMatchObject({ state: 'refused', reason: expect.any(String), isDefault: false })
    expect((await buyer.buy({ cardId: lost })).body.code).toBe('CARD_UNUSABLE')
    expect(await buyer.units()).toBe(1_000)
  })

  test.each([
    ['paystack', 'NG'],
    ['stripe', 'DE'],
  ])('by %s, where the bank wants the payer, answers with a page', async (_, country) => {
    const buyer = await scene.buyer({ country })
    const { status, body } = await buyer.buy({ cardId: await buyer.saveCard('auth') })
    expect([status, body.payload.state]).toEqual([200, 'action'])
    await peer.press(body.payload.url, 'pay')
    await buyer.check(body.payload.id)
    expect(await buyer.units()).toBe(1_000)
  })

  test('whose answer is lost is being checked, and the sweep ends it', async () => {
    const buyer = await scene.buyer()
    const { status, body } = await buyer.buy({ cardId: await buyer.saveCard('drop') })
    expect([status, body.payload.state]).toEqual([200, 'checking'])
    t.clock.advance(5 * 60_000)
    await scene.sweep()
    expect((await buyer.payment(body.payload.id)).state).toBe('succeeded')
  })

  test('is refused with a card that has expired; a card that expires soon is pointed out', async () => {
    const buyer = await scene.buyer()
    const now = t.clock.now()
    const month = { expMonth: now.getUTCMonth() + 1, expYear: now.getUTCFullYear() }
    const soon = await buyer.saveCard('ok', month)
    const over = await buyer.saveCard('never', { expMonth: 12, expYear: now.getUTCFullYear() - 1 })
    expect(await card(buyer, soon)).toMatchObject({ state: 'usable', expiresSoon: true })
    expect(await card(buyer, over)).toMatchObject({ state: 'expired', expiresSoon: false })
    expect((await buyer.buy({ cardId: over })).body.code).toBe('CARD_UNUSABLE')
    const foreign = await (await scene.buyer()).saveCard('ok')
    expect((await buyer.buy({ cardId: foreign })).status).toBe(404)
  })
})

describe('the header Idempotency-Key', () => {
  const key = (text: string) => ({ 'idempotency-key': text })

  test('ten at once pay once, and all answer the same; another request with the key is refused', async () => {
    const buyer = await scene.buyer()
    const cardId = await buyer.saveCard('ok')
    const moved = peer.movements.length
    const answers = await Promise.all(Array.from({ length: 10 }, () => buyer.buy({ cardId }, key('once'))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(9)
    expect([peer.movements.length - moved, await buyer.units()]).toEqual([1, 1_000])
    const other = await buyer.buy({ cardId, keepCard: true }, key('once'))
    expect([other.status, other.body.code]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
    expect((await buyer.buy({ cardId }, key('twice'))).body.payload.id).not.toBe(answers[0]?.body.payload.id)
  })

  test('is of one person and of one company', async () => {
    const buyer = await scene.buyer()
    const mate = await scene.buyer({ company: buyer })
    const cardId = await buyer.saveCard('ok')
    const one = await buyer.buy({ cardId }, key('k'))
    const two = await mate.buy({ cardId }, key('k'))
    expect(one.body.payload.id).not.toBe(two.body.payload.id)
  })

  test('is given back by a call that failed, and keeps a decline', async () => {
    const buyer = await scene.buyer()
    const cardId = await buyer.saveCard('nofunds')
    expect((await buyer.buy({ cardId, total: 1 }, key('k'))).body.code).toBe('PRICE_CHANGED')
    expect((await buyer.buy({ cardId }, key('k'))).body.code).toBe('PAYMENT_DECLINED')
    const again = await buyer.buy({ cardId }, key('k'))
    expect([again.status, again.body.code, again.headers['idempotency-replayed']]).toEqual([
      400,
      'PAYMENT_DECLINED',
      'true',
    ])
    peer.trouble('drop')
    expect((await buyer.buy({}, key('page'))).status).toBe(503)
    expect((await buyer.buy({}, key('page'))).status).toBe(200)
  })

  test('of a call that was cut off is taken over after two minutes', async () => {
    const buyer = await scene.buyer()
    const first = await buyer.buy({}, key('k'))
    await t.change(buyer.companyId, 'update idempotency_keys set answer = null')
    t.clock.advance(3 * 60_000)
    expect((await buyer.buy({}, key('k'))).body.payload.id).toBe(first.body.payload.id)
  })

  test('of a charge that was cut off, and made by the sweep meanwhile, charges nobody again', async () => {
    const buyer = await scene.buyer()
    const cardId = await buyer.saveCard()
    const moved = peer.movements.length
    const first = await buyer.buy({ cardId }, key('k'))
    // As a server leaves it that is killed after the commit.
    await t.change(buyer.companyId, 'update idempotency_keys set answer = null')
    t.clock.advance(3 * 60_000)
    const again = await buyer.buy({ cardId }, key('k'))
    expect(again.body.payload).toMatchObject({ id: first.body.payload.id, state: 'succeeded' })
    expect([peer.movements.length - moved, await buyer.units()]).toEqual([1, 1_000])
    // Another key is another purchase.
    expect((await buyer.buy({ cardId }, key('other'))).body.payload.id).not.toBe(first.body.payload.id)
  })

  test('that was given back goes on with the same order only: another one with it is another payment', async () => {
    const buyer = await scene.buyer()
    const first = await buyer.buy({}, key('k'))
    // As a fault of the server leaves it.
    await t.change(buyer.companyId, 'delete from idempotency_keys')
    const custom = { kind: 'sms', units: 10, total: 6_450, currency: 'NGN' }
    const { token } = buyer
    const other = await t.call('POST', '/wallet/sms/customPurchase', { token, headers: key('k'), body: custom })
    expect(other.body.payload).toMatchObject({ bought: { units: 10 } })
    expect(other.body.payload.id).not.toBe(first.body.payload.id)
  })

  test('is a text of 1 to 255 signs, and is forgotten after a day', async () => {
    const buyer = await scene.buyer()
    expect((await buyer.buy({}, key('x'.repeat(256)))).status).toBe(422)
    await buyer.buy({}, key('k'))
    const keys = () => t.rows('select from idempotency_keys where company_id = $1', [buyer.companyId])
    expect(await keys()).toHaveLength(1)
    t.clock.advance(25 * hourMs)
    await sweepKept.run(t.services, {})
    expect(await keys()).toHaveLength(0)
  })
})
