import { afterEach, describe, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { only, setMatrix } from '../../../test/factories.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'

const scene = await describeRenewals()
const { t, peer } = scene
const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Each test follows its own.
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

type Plan = Awaited<ReturnType<typeof scene.plan>>
const order = ({ token }: Buyer, plan: Plan, more: object = {}, headers: Record<string, string> = {}) =>
  t.call('POST', '/enterprise/subscriptions', {
    ...{ token, headers },
    body: { planId: String(plan.id), billing: 'monthly', total: 1_075_000, currency: 'NGN', ...more },
  })
const subscriptions = async ({ token }: Buyer) =>
  (await t.call('GET', '/enterprise/subscriptions', { token })).body.payload
const payments = ({ companyId }: Buyer) =>
  t.rows<{ state: string; failure_code: string | null }>(
    'select state, failure_code from payments where company_id = $1 order by id',
    [companyId],
  )

describe('the plans and subscriptions of a company', () => {
  test('are an empty page where nothing is sold, and an order is refused', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const { billing } = t.services.config
    t.services.config.billing = { ...billing, isOn: false }
    try {
      const { body } = await t.call('GET', '/enterprise/plans', { token: buyer.token })
      expect(body.payload).toMatchObject({ data: [], meta: { total: 0 } })
      expect((await order(buyer, plan)).body.code).toBe('PAYMENTS_OFF')
    } finally {
      t.services.config.billing = billing
    }
  })

  test('are none while it tries: the trial is a licence, which says until when', async () => {
    const buyer = await scene.buyer()
    expect(await subscriptions(buyer)).toMatchObject({ data: [], meta: { total: 0 } })
    await aLicence(t, buyer.companyId, { source: 'trial', days: 14 })
    expect((await subscriptions(buyer)).data).toEqual([])
    const { body } = await t.call('GET', '/enterprise/entitlement', { token: buyer.token })
    const until = new Date(t.clock.now().getTime() + 14 * dayMs).toISOString()
    expect(body.payload).toMatchObject({ state: 'trial', until })
  })
})

describe('an order with an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order-1' }

  test('ten at once are one subscription and one answer; another plan with the key is refused', async () => {
    const [buyer, plan, other] = [await scene.buyer(), await scene.plan(), await scene.plan()]
    const cardId = await buyer.saveCard()
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(buyer, plan, { cardId }, key)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(9)
    expect((await subscriptions(buyer)).data).toHaveLength(1)
    expect(await payments(buyer)).toEqual([{ state: 'succeeded', failure_code: null }])
    const mismatch = await order(buyer, other, { cardId }, key)
    expect([mismatch.status, mismatch.body.code]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
  })
})

describe('an order with a saved card', () => {
  test('that was removed is a 404, that has expired CARD_UNUSABLE', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const removed = await buyer.saveCard()
    await t.call('DELETE', `/enterprise/cards/${removed}`, { token: buyer.token })
    expect((await order(buyer, plan, { cardId: removed })).status).toBe(404)
    const expired = await buyer.saveCard('never', { expMonth: 1, expYear: 2020 })
    expect((await order(buyer, plan, { cardId: expired })).body.code).toBe('CARD_UNUSABLE')
    expect(await payments(buyer)).toEqual([])
  })

  test('that is declined is kept as failed, and says why in the language of who asked', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    await t.change(buyer.companyId, `update users set locale = 'fr' where id = $1`, [buyer.id])
    const { status, body } = await order(buyer, plan, { cardId: await buyer.saveCard('nofunds') })
    expect([status, body.code]).toEqual([400, 'PAYMENT_DECLINED'])
    expect(body.message).toContain('solde')
    expect(await payments(buyer)).toMatchObject([{ state: 'failed' }])
    expect((await subscriptions(buyer)).data).toEqual([])
  })

  test('whose answer is lost is being checked; nothing is lost, and nothing is sold twice', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const { status, body } = await order(buyer, plan, { cardId: await buyer.saveCard('drop') })
    expect([status, body.payload.state]).toEqual([200, 'checking'])
    t.clock.advance(5 * 60_000)
    await Promise.all([scene.sweep(), scene.sweep(), scene.deliver()])
    expect(await payments(buyer)).toMatchObject([{ state: 'succeeded' }])
    expect((await subscriptions(buyer)).data).toHaveLength(1)
  })

  test('whose bank wants the payer answers with its page, and begins once the payer was there', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const { status, body } = await order(buyer, plan, { cardId: await buyer.saveCard('auth') })
    expect([status, body.payload]).toMatchObject([200, { state: 'action', url: expect.any(String) }])
    await peer.press(body.payload.url, 'otp')
    await peer.press(body.payload.url, 'pay', { otp: '123456' })
    await buyer.check(body.payload.id)
    expect((await subscriptions(buyer)).data).toHaveLength(1)
  })
})

describe('an order on the page of the provider', () => {
  test('that cannot be begun takes nothing, and the next try works', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    peer.trouble('drop')
    const refused = await order(buyer, plan)
    expect([refused.status, refused.body.code]).toEqual([503, 'PROVIDER_UNREACHABLE'])
    const { body } = await order(buyer, plan)
    await peer.press(body.payload.url, 'pay')
    await buyer.check(body.payload.id)
    expect((await subscriptions(buyer)).data).toHaveLength(1)
  })

  test('of somebody who comes back after a day and pays on the old page begins the plan', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const { payload } = (await order(buyer, plan)).body
    t.clock.advance(dayMs)
    await scene.sweep()
    expect((await buyer.payment(payload.id)).state).toBe('cancelled')
    await peer.press(payload.url, 'pay')
    await scene.deliver()
    expect((await subscriptions(buyer)).data).toMatchObject([{ state: 'active' }])
  })

  test('whose card the payer wanted kept, and cannot be, says so', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const paidBy = async (card: 'ok' | 'mobile', keepCard: boolean) => {
      const { payload } = (await order(buyer, plan, { keepCard })).body
      await peer.press(payload.url, 'pay', { card })
      const { state, cardKept } = (await buyer.check(payload.id)).body.payload
      return [state, cardKept]
    }
    expect(await paidBy('mobile', true)).toEqual(['succeeded', false])
    expect(await paidBy('ok', false)).toEqual(['succeeded', null])
    expect(await paidBy('ok', true)).toEqual(['succeeded', true])
  })
})

describe('giving up', () => {
  test('the only card of a plan is allowed: the plan is then paid on a page, and the answer says so', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const made = await scene.subscribed(buyer, plan, { card: 'ok' })
    const answer = await t.call('DELETE', `/enterprise/cards/${made.card_id}`, { token: buyer.token })
    expect(answer.body.payload).toEqual({ renewsByPage: 1, topUpsOff: 0 })
    await scene.toDay(made, 0)
    expect(scene.charges().filter(({ reference }) => reference.includes(`-s${made.id}-`))).toEqual([])
    expect((await subscriptions(buyer)).data).toMatchObject([{ state: 'past_due', owed: { total: 1_075_000 } }])
  })

  test('a plan in the moment of its renewal: it is charged and ends with the new period, or ends uncharged', async () => {
    for (let round = 0; round < 3; round++) {
      const [buyer, plan] = [await scene.buyer(), await scene.plan()]
      const made = await scene.subscribed(buyer, plan, { card: 'ok' })
      const charges = () => scene.charges().filter(({ reference }) => reference.includes(`-s${made.id}-`)).length
      const cancel = () => t.call('DELETE', `/enterprise/subscription/cancel/${made.id}`, { token: buyer.token })
      // In Lagos: by then the notice is out, and what comes next is the charge.
      const morning = Math.floor((made.period_end.getTime() + hourMs) / dayMs) * dayMs + hourMs
      await scene.until(new Date(made.period_end.getTime() + 2 * dayMs), async () => {
        const isTime = t.clock.now().getTime() > morning
        await Promise.all(isTime ? [cancel(), scene.run(), cancel()] : [scene.run()])
      })
      const row = await scene.row(made.id)
      expect([row.state, row.cancel_at_end, row.cycle]).toEqual(
        charges() === 1 ? ['active', true, 1] : ['cancelled', row.cancel_at_end, 0],
      )
      expect(await buyer.serials()).toHaveLength(1 + charges())
    }
  })

  test('the place of a private device is a 404 for a Manager who may pay', async () => {
    const [buyer, plan] = [await scene.buyer(), await scene.plan()]
    const made = await scene.subscribed(buyer, plan)
    const device = await aDevice(t, { ...buyer, visibility: 'private' })
    await t.change(
      buyer.companyId,
      'update devices set licence_id = $1, licence_until = $2, updated_at = $3 where id = $4',
      [...[made.licence_id, made.period_end, t.clock.now(), device.id]],
    )
    await setMatrix(t, buyer.companyId, 'manager', only('devices.view', 'payments.view', 'payments.addOrEdit'))
    const manager = await scene.buyer({ company: buyer, role: 'manager' })
    const give = ({ token }: Buyer) => t.call('DELETE', `/enterprise/cancelDeviceSubscription/${device.id}`, { token })
    expect([(await give(manager)).status, (await give(buyer)).status]).toEqual([404, 200])
  })
})

test('10,000 licences are paged', async () => {
  const buyer = await scene.buyer()
  const { id } = await aLicence(t, buyer.companyId)
  await t.change(
    buyer.companyId,
    `insert into licences (company_id, source, hint, devices, starts_at, expires_at)
     select company_id, source, hint, devices, starts_at, expires_at + n * interval '1 minute'
     from licences, generate_series(1, 9999) n where id = $1`,
    [id],
  )
  const query = { page: '100', perPage: '100' }
  const { body } = await t.call('GET', '/enterprise/fetchActiveLicense', { token: buyer.token, query })
  expect([body.payload.data.length, body.payload.meta]).toEqual([
    100,
    { page: 100, perPage: 100, total: 10_000, pageCount: 100 },
  ])
})

test('a licence key is taken into stock as people type it', async () => {
  const buyer = await scene.buyer()
  const { said } = await scene.desk('licences', 'issue', '--devices', '1', '--months', '12')
  const key = said.join('\n').match(/ISO-[0-9A-Z-]+/)?.[0] ?? ''
  const typed = ` ${key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'i')} `
  const add = (licenceKey: string) =>
    t.call('POST', '/enterprise/addLicense', { token: buyer.token, body: { licenceKey } })
  expect((await add(typed)).body.payload).toMatchObject({ source: 'key', state: 'stock' })
})
