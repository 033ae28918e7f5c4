import type { Wallet } from '@isotherm/contract/wallet.ts'
import { expect, test } from 'vitest'
import { type Buyer, describeMoney } from '../../../test/money-scene.ts'
import { walletsToTopUp } from '../../core/wallet/top-up-queries.ts'
import { addUnits, reserveUnits } from '../../core/wallet/wallet-queries.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { topUpWallets } from './top-up.ts'

const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 } })
const { t, peer } = scene
const hourMs = 3_600_000

const wallet = async (buyer: Buyer): Promise<Wallet> => {
  const { body } = await t.call('GET', '/wallet', { token: buyer.token })
  return body.payload.find(({ kind }: Wallet) => kind === 'sms')
}
const change = async (buyer: Buyer, body: object) =>
  t.call('PATCH', `/wallet/${(await wallet(buyer)).id}`, { token: buyer.token, body })
const run = () => topUpWallets.run(t.services, {})
const chargesOf = async ({ companyId }: Buyer) => {
  const { rows } = await inTenant(t.pool, companyId, ({ client }) =>
    client.query<{ reference: string }>('select reference from payments'),
  )
  const own = rows.map(({ reference }) => reference)
  return peer.movements.filter(({ reference }) => own.includes(reference)).length
}

/** A company with some units that buys a thousand more when fewer than 100 are left. */
async function saver(card: Parameters<Buyer['saveCard']>[0] = 'ok', more: object = {}, units = 150) {
  const buyer = await scene.buyer()
  const cardId = await buyer.saveCard(card)
  const topUp = { below: 100, units: 1_000, cardId, monthlyMax: 1_500_000, ...more }
  const set = await change(buyer, { topUp })
  expect(set.status).toBe(200)
  await inTenant(t.pool, buyer.companyId, ({ client }) =>
    addUnits(
      client,
      { companyId: buyer.companyId, channel: 'sms' },
      units,
      { kind: 'granted', reference: null },
      t.clock.now(),
    ),
  )
  return { ...buyer, cardId }
}

/** Reserves units for messages as the pipeline does. */
let deliveries = 0
const reserve = ({ companyId }: Buyer, units: number) =>
  asPipeline(t.pool, ({ client }) =>
    reserveUnits(
      client,
      { companyId, channel: 'sms' },
      [{ deliveryId: String(++deliveries), units, alarmId: null }],
      t.clock.now(),
    ),
  )

test('a wallet that runs low buys units by its card, with an invoice, and no more while it has enough', async () => {
  const buyer = await saver()
  await run()
  expect([await chargesOf(buyer), await buyer.units()]).toEqual([0, 150])
  await reserve(buyer, 60)
  await run()
  await run()
  expect([await chargesOf(buyer), await buyer.units()]).toEqual([1, 1_150])
  expect(await buyer.serials()).toHaveLength(1)
  expect((await wallet(buyer)).topUp).toMatchObject({ spentThisMonth: 591_250, failed: null, isCardUsable: true })
})

test('a storm of messages costs one purchase, however often the job runs at once', async () => {
  const buyer = await saver()
  await Promise.all([...Array.from({ length: 30 }, () => reserve(buyer, 5)), ...Array.from({ length: 8 }, run)])
  await Promise.all(Array.from({ length: 8 }, run))
  expect([await chargesOf(buyer), await buyer.units()]).toEqual([1, 1_150])
})

test('nothing is bought while a charge is under way, and its lost answer buys nothing twice', async () => {
  const buyer = await saver('drop', {}, 10)
  await run()
  await run()
  t.clock.advance(11 * 60_000)
  await Promise.all([run(), scene.sweep()])
  await run()
  expect([await chargesOf(buyer), await buyer.units()]).toEqual([1, 1_010])
})

test('after a decline the Admins are told, and it is tried again a day later', async () => {
  const buyer = await saver('nofunds', {}, 10)
  await run()
  expect((await wallet(buyer)).topUp?.failed).toEqual({ at: expect.any(String), reason: 'Insufficient Funds' })
  const mails = (await t.mails()).filter(({ to }) => to === buyer.email)
  expect(mails.at(-1)?.subject).toContain('Units were not bought')
  const attempts = async () => (await t.rows('select from payments where company_id = $1', [buyer.companyId])).length
  t.clock.advance(23 * hourMs)
  await run()
  expect(await attempts()).toBe(1)
  t.clock.advance(2 * hourMs)
  await run()
  expect(await attempts()).toBe(2)
  expect(await buyer.units()).toBe(10)
})

test('the money of a month is not exceeded, and the next month begins anew', async () => {
  const buyer = await saver('ok', { monthlyMax: 600_000, below: 1_000 }, 10)
  await run()
  await reserve(buyer, 900)
  await run()
  expect(await chargesOf(buyer)).toBe(1)
  t.clock.advance(32 * 24 * hourMs)
  await run()
  expect(await chargesOf(buyer)).toBe(2)
})

test('a refused card, a paused account and an end of it stop it; removing the card ends it', async () => {
  const buyer = await saver('expired', {}, 10)
  await run()
  t.clock.advance(25 * hourMs)
  await run()
  expect((await wallet(buyer)).topUp).toMatchObject({ isCardUsable: false })
  const other = await saver('ok', {}, 10)
  await t.change(other.companyId, 'update billing_accounts set paused_at = now()')
  await run()
  expect(await chargesOf(other)).toBe(0)
  await t.change(other.companyId, 'update billing_accounts set paused_at = null')
  const removed = await t.call('DELETE', `/enterprise/cards/${other.cardId}`, { token: other.token })
  expect(removed.body.payload).toEqual({ renewsByPage: 0, topUpsOff: 1 })
  expect((await wallet(other)).topUp).toBeNull()
  await run()
  expect(await chargesOf(other)).toBe(0)
  const third = await saver('ok', {}, 10)
  expect((await change(third, { topUp: null })).body.payload.topUp).toBeNull()
  await run()
  expect(await chargesOf(third)).toBe(0)
})

test('settings that could never buy are refused; the warning is set by itself', async () => {
  const buyer = await scene.buyer()
  const cardId = await buyer.saveCard()
  const topUp = { below: 100, units: 1_000, cardId, monthlyMax: 1_000_000 }
  expect((await change(buyer, { topUp: { ...topUp, monthlyMax: 1_000 } })).status).toBe(422)
  expect((await change(buyer, { topUp: { ...topUp, below: 0 } })).status).toBe(422)
  const more = await change(buyer, { topUp: { ...topUp, below: 1_001 } })
  expect([more.status, Object.keys(more.body.fields)]).toEqual([422, ['topUp.below']])
  const { cardId: _, ...withoutCard } = topUp
  expect((await change(buyer, { topUp: withoutCard })).status).toBe(422)
  const foreign = await (await scene.buyer()).saveCard()
  expect((await change(buyer, { topUp: { ...topUp, cardId: foreign } })).status).toBe(404)
  const over = await buyer.saveCard('never', { expMonth: 1, expYear: 2020 })
  expect((await change(buyer, { topUp: { ...topUp, cardId: over } })).body.code).toBe('CARD_UNUSABLE')
  expect((await change(buyer, { warnBelow: 7 })).body.payload).toMatchObject({ warnBelow: 7, topUp: null })
  expect((await change(buyer, { topUp })).body.payload).toMatchObject({
    warnBelow: 7,
    topUp: { ...topUp, price: { total: 591_250 } },
  })
})

test('wallets that may not buy now are in nobody’s way: a run goes on after the last one', async () => {
  const [one, two] = [await saver('ok', {}, 50), await saver('ok', {}, 50)]
  const after = (companyId: number) => asPipeline(t.pool, ({ tx }) => walletsToTopUp(tx, companyId, 1))
  expect(await after(one.companyId - 1)).toEqual([{ company_id: one.companyId, kind: 'sms' }])
  expect(await after(one.companyId)).toEqual([{ company_id: two.companyId, kind: 'sms' }])
})

test('of two Admins who set it at once one is the last, and both stand in the trail', async () => {
  const buyer = await scene.buyer()
  const mate = await scene.buyer({ company: buyer })
  const { id } = await wallet(buyer)
  const set = (who: Buyer, warnBelow: number) =>
    t.call('PATCH', `/wallet/${id}`, { token: who.token, body: { warnBelow } })
  const answers = await Promise.all([set(buyer, 11), set(mate, 22)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const trail = await t.rows<{ after: { warnBelow: number } }>(
    `select after from audit_log where company_id = $1 and action = 'wallet.changed' order by seq`,
    [buyer.companyId],
  )
  expect(trail.map(({ after }) => after.warnBelow).toSorted()).toEqual([11, 22])
  const { body } = await t.call('GET', '/wallet/sms/settings', { token: buyer.token })
  expect(body.payload.warnBelow).toBe(trail.at(-1)?.after.warnBelow)
})

test('billing that is paused, as after a restore, keeps nobody from buying: nothing is bought without a person', async () => {
  const buyer = await saver('ok', {}, 10)
  await scene.desk('billing', 'pause', '--company', String(buyer.companyId))
  await run()
  expect(await chargesOf(buyer)).toBe(0)
  expect((await buyer.buy({ cardId: buyer.cardId })).body.payload.state).toBe('succeeded')
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  expect([await chargesOf(buyer), await buyer.units()]).toEqual([2, 2_010])
})

test('units whose money went back are not bought anew at once: not while a bank looks at it, and a day later at the earliest', async () => {
  const buyer = await saver('ok', { monthlyMax: 5_000_000 }, 10)
  const bought = async () => {
    await run()
    const { rows } = await inTenant(t.pool, buyer.companyId, ({ client }) =>
      client.query<{ id: string; reference: string }>('select id, reference from payments order by id'),
    )
    return rows
  }
  const [first] = await bought()
  if (!first) throw new Error('nothing was bought')
  const company = ['--company', String(buyer.companyId)]
  await scene.desk(
    'payments',
    'refund',
    ...company,
    '--payment',
    first.reference,
    '--amount',
    '5912.50',
    '--reason',
    'No',
  )
  expect(await buyer.units()).toBe(10)
  expect(await bought()).toHaveLength(1)
  t.clock.advance(25 * hourMs)
  const [, second] = await bought()
  if (!second) throw new Error('nothing was bought a day later')
  await t.change(
    buyer.companyId,
    `update payments set dispute = 'open', dispute_ref = 'd', disputed_at = now() where id = $1`,
    [second.id],
  )
  await reserve(buyer, 1_000)
  t.clock.advance(25 * hourMs)
  expect(await bought()).toHaveLength(2)
  await t.change(buyer.companyId, `update payments set dispute = 'won' where id = $1`, [second.id])
  expect(await bought()).toHaveLength(3)
})
