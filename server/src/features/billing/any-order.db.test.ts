import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Buyer, describeMoney } from '../../../test/money-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const scene = await describeMoney()
const { t, peer } = scene

interface Begun {
  buyer: Buyer
  id: string
  url: string
}

const troubles = ['drop', 'busy', 'broken', 'garbage', 'redirect', 'lost'] as const
const modes = ['ordinary', 'none', 'twice', 'late', 'forged', 'unknown'] as const
const saved = ['ok', 'ok', 'nofunds', 'expired', 'auth', 'pending', 'drop', '500', 'refused'] as const
const index = fc.nat(9)
/** Whatever payers, their browsers, the network and the clock may do, in any order. */
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('buy' as const), who: index, units: fc.integer({ min: 1, max: 50 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      who: index,
      units: fc.integer({ min: 1, max: 50 }),
      card: fc.constantFrom(...saved),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('press' as const),
      which: index,
      button: fc.constantFrom('pay', 'pay', 'pay', 'decline', 'close'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('check' as const), which: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('events' as const), order: fc.constantFrom('in order', 'reversed') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom(...modes) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      list: fc.array(fc.constantFrom(...troubles), { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 90 }) }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]

async function play(acts: Act[], buyers: Buyer[]): Promise<void> {
  const begun: Begun[] = []
  for (const one of acts) {
    if (one.do === 'buy' || one.do === 'charge') {
      const buyer = at(buyers, one.who)
      const card = one.do === 'charge' ? { cardId: await buyer?.saveCard(one.card) } : {}
      const { body } = await t.call('GET', '/wallet/price', {
        token: buyer?.token ?? '',
        query: { units: `${one.units}` },
      })
      const { total, currency } = body.payload.quote.price
      const answer = await t.call('POST', '/wallet/sms/customPurchase', {
        token: buyer?.token ?? '',
        body: { units: one.units, total, currency, ...card },
      })
      expect([200, 400, 503]).toContain(answer.status)
      if (buyer && answer.body.payload?.url) begun.push({ buyer, ...answer.body.payload })
    }
    if (one.do === 'press' || one.do === 'check') {
      const found = at(begun, one.which)
      if (!found) continue
      if (one.do === 'check') expect((await found.buyer.check(found.id)).status).toBe(200)
      else await peer.press(found.url, one.button as 'pay' | 'decline' | 'close').catch(() => null)
    }
    if (one.do === 'events') await scene.deliver(one.order as 'in order')
    if (one.do === 'mode') peer.webhooks.mode = one.mode
    if (one.do === 'trouble') peer.trouble(...one.list)
    if (one.do === 'wait') {
      t.clock.advance(one.minutes * 60_000)
      await scene.sweep()
    }
  }
}

/** The network is well again, and time goes by. */
async function calmDown(): Promise<void> {
  peer.trouble()
  peer.webhooks.mode = 'ordinary'
  await peer.finishPending('success')
  for (let hour = 0; hour < 8; hour++) {
    t.clock.advance(24 * 3_600_000)
    await scene.sweep()
  }
}

const ofCompany = <T extends object>({ companyId }: Buyer, sql: string) =>
  inTenant(t.pool, companyId, async ({ client }) => (await client.query<T>(sql)).rows)

test('whatever happens in whatever order, every charge at the bank is granted once, and nothing without one', async () => {
  let charges = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 80 }), async (acts) => {
      const buyers = [await scene.buyer(), await scene.buyer({ country: 'DE' }), await scene.buyer()]
      const from = peer.movements.length
      await play(acts, buyers)
      await calmDown()
      const moved = peer.movements.slice(from)
      charges += moved.length
      for (const buyer of buyers) {
        const payments = await ofCompany<{ reference: string; state: string; amount: string; units: number }>(
          buyer,
          'select p.*, b.units from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id',
        )
        const own = payments.map(({ reference }) => reference)
        const paid = moved.filter(({ reference }) => own.includes(reference)).map(({ reference }) => reference)
        expect(new Set(paid).size).toBe(paid.length)
        const granted = payments.filter(({ state }) => state === 'succeeded')
        expect(granted.map(({ reference }) => reference).sort()).toEqual(paid.sort())
        expect(
          payments.filter(({ state }) => ['created', 'sent', 'action', 'pending', 'review'].includes(state)),
        ).toEqual([])
        const units = granted.reduce((sum, payment) => sum + payment.units, 0)
        expect(await buyer.units()).toBe(units)
        const entries = await ofCompany<{ units: number }>(
          buyer,
          `select units from wallet_entries where kind = 'bought'`,
        )
        expect(entries.reduce((sum, entry) => sum + entry.units, 0)).toBe(units)
        const invoices = await ofCompany<{ series: string; number: number; total: string }>(
          buyer,
          'select * from invoices order by series, number',
        )
        expect(invoices).toHaveLength(granted.length)
        // The numbers of a year begin with 1, and a run of these goes on past the end of a year.
        for (const numbers of Map.groupBy(invoices, ({ series }) => series).values())
          expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, i) => i + 1))
        const sum = (rows: { amount: string }[]) => rows.reduce((all, { amount }) => all + BigInt(amount), 0n)
        expect(sum(invoices.map(({ total }) => ({ amount: total })))).toBe(sum(granted))
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
  expect(charges).toBeGreaterThan(100)
}, 900_000)
