import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { expect, test } from 'vitest'
import { inCompany } from '../../../test/factories.ts'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import type { Cadence } from '../../domain/billing-period.ts'

const scene = await describeRenewals()
const { t } = scene
const dayMs = 86_400_000
const zones = ['Africa/Lagos', 'Europe/Paris', 'America/New_York']

interface Followed {
  buyer: Buyer
  id: string
  zone: string
  cadence: Cadence
}

/** One subscription of each cadence in each zone, begun at half past midnight of a day there. */
async function begin(day: string, followed: Followed[]): Promise<void> {
  const plan = await scene.plan()
  for (const zone of zones) {
    const start = ['-05', '-04', '-01', '+00', '+01', '+02']
      .map((offset) => new Date(`${day}T00:30:00${offset}:00`))
      .find((at) => localTimeOf(at.getTime(), zone) === `${day}T00:30`)
    if (!start) throw new Error(`no half past midnight in ${zone}`)
    // Those of the zones that are ahead begin first.
    t.clock.set(start)
    const buyer = await scene.buyer()
    for (const cadence of ['monthly', 'annually'] as const) {
      const { id } = await scene.subscribed(buyer, plan, { cadence, zone, card: 'ok' })
      followed.push({ buyer, id, zone, cadence })
    }
  }
}

test('three years: each period is paid once, whatever the month, the zone, the job and the webhooks do', async () => {
  const followed: Followed[] = []
  // No event of the bank is ever brought.
  await scene.until(new Date('2028-01-30T12:00:00Z'))
  await begin('2028-01-31', followed)
  await scene.until(new Date('2028-02-28T22:00:00Z'))
  await begin('2028-02-29', followed)
  // In the first months two servers do the same at the same moment.
  await scene.until(new Date('2028-09-15T12:00:00Z'), () => Promise.all([scene.run(), scene.run()]))
  await scene.until(new Date('2029-08-29T20:00:00Z'))
  // The server is off for 40 days: periods that ended less than 35 days ago are charged, others expire, and somebody pays them.
  t.clock.advance(40 * dayMs)
  await scene.run()
  const rows = await Promise.all(followed.map(({ id }) => scene.row(id)))
  const expired = followed.filter((_, index) => rows[index]?.state === 'expired')
  // Those of the 31st: of which the period ended on 31 August. Those of the 29th had just been renewed.
  expect(expired.map(({ cadence }) => cadence)).toEqual(['monthly', 'monthly', 'monthly'])
  for (const { buyer, id } of expired) await scene.payOwed(buyer, id)
  await scene.until(new Date('2031-03-15T12:00:00Z'))

  const charges = scene.charges()
  expect(new Set(charges.map(({ reference }) => reference)).size).toBe(charges.length)
  let renewals = 0
  for (const { buyer, id, zone, cadence } of followed) {
    const purchases = await scene.purchases(buyer.companyId, id)
    const row = await scene.row(id)
    expect([row.state, purchases.every(({ paid_at, voided_at }) => paid_at && !voided_at)]).toEqual(['active', true])
    expect(purchases.map(({ cycle }) => cycle)).toEqual(Array.from({ length: row.cycle + 1 }, (_, cycle) => cycle))
    expect(purchases.at(-1)?.period_end).toEqual(row.period_end)
    expect(row.period_end.getTime()).toBeGreaterThan(Date.parse('2031-03-15T12:00:00Z'))
    const hasNewAnchor = expired.some((one) => one.id === id)
    purchases.forEach(({ period_start: start }, index) => {
      const before = purchases[index - 1]?.period_end
      const goesOn = !before || start?.getTime() === before.getTime()
      if (!goesOn) expect(hasNewAnchor && start && start > before).toBe(true)
      if (hasNewAnchor || !start) return
      // On the day of the anchor, or the last day of a shorter month, at the same time by the clock.
      const [day, time] = localTimeOf(start.getTime(), zone).split('T')
      const anchor = purchases[0]?.period_start
        ? Number(localTimeOf(purchases[0].period_start.getTime(), zone).slice(8, 10))
        : 0
      const lastDay = new Date(Date.UTC(Number(day?.slice(0, 4)), Number(day?.slice(5, 7)), 0)).getUTCDate()
      expect([Number(day?.slice(8)), time]).toEqual([Math.min(anchor, lastDay), '00:30'])
    })
    // From 29 February 2028 on, the 28th of February 2031 is the 37th beginning of a month.
    if (cadence === 'annually') expect(purchases.length).toBe(4)
    else if (!hasNewAnchor) expect(purchases.length).toBe(37)
    renewals += purchases.length - 1
  }
  expect(renewals).toBe(charges.length + expired.length)
  const companies = [...new Set(followed.map(({ buyer }) => buyer.companyId))]
  const serials = await Promise.all(companies.map((companyId) => serialsOf(companyId)))
  expect(serials.flat().length).toBe(renewals + followed.length)
  for (const own of serials) expect(new Set(own).size).toBe(own.length)
}, 600_000)

const serialsOf = (companyId: number) =>
  inCompany(t, companyId, async (ctx) =>
    (
      await ctx.tx.selectFrom('invoices').select(['series', 'number']).where('company_id', '=', companyId).execute()
    ).map(serialOf),
  )
