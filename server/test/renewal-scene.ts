import { dayMs, instantAt, wallAt } from '@isotherm/contract/zone-times.ts'
import type { Behaviour } from '@isotherm/simulator/payments/bank.ts'
import { provider } from '../src/commands/provider/provider.ts'
import { lockAccount } from '../src/core/billing/account-queries.ts'
import { insertPayment } from '../src/core/billing/payment-queries.ts'
import { newReference } from '../src/core/billing/reference.ts'
import type { SubscriptionRow } from '../src/core/billing/subscription-queries.ts'
import { type PlanRow, planById } from '../src/core/provider/plans.ts'
import { setPlanPrice } from '../src/core/provider/price-list.ts'
import type { Cadence } from '../src/domain/billing-period.ts'
import { renewSubscriptions } from '../src/features/billing/renew-job.ts'
import type { Config } from '../src/platform/config/config.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import type { Mail } from '../src/platform/mail/mailer.ts'
import { inCompany } from './factories.ts'
import { type Buyer, describeMoney } from './money-scene.ts'
import { aPlan, aSubscription, paid } from './plan-factory.ts'

const eveningMs = 22 * 3_600_000

/** A price list in naira, companies of Nigeria that have plans, and the job that renews them. */
export async function describeRenewals(overrides: Partial<Config> = {}) {
  const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 }, ...overrides })
  const { t, peer } = scene
  const run = () => renewSubscriptions.run(t.services, {})
  const now = () => t.clock.now()

  const next = async (): Promise<Date | null> => {
    const [row] = await t.rows<{ next: Date | null }>('select min(next_action_at) as next from subscriptions')
    return row?.next ?? null
  }

  return {
    ...scene,
    run,

    /** A plan that costs so much net, in minor units. */
    async plan(amount = 1_000_000, devices = 5): Promise<PlanRow> {
      const plan = await aPlan(t, devices)
      for (const cadence of ['monthly', 'annually'] as const)
        await asLogin(t.pool, ({ tx }) =>
          setPlanPrice(
            tx,
            { planId: plan.id, currency: 'NGN', cadence },
            amount * (cadence === 'monthly' ? 1 : 10),
            now(),
            now(),
          ),
        )
      return plan
    },
    setPrice: (plan: PlanRow, amount: number | null, from: Date) =>
      asLogin(t.pool, ({ tx }) =>
        setPlanPrice(tx, { planId: plan.id, currency: 'NGN', cadence: 'monthly' }, amount, from, now()),
      ),
    desk: async (...args: string[]) => {
      const said: string[] = []
      const code = await provider(args, { pool: t.pool, out: (line) => void said.push(line) })
      return { code, said }
    },

    /** A subscription whose first period is paid now, and that a card which behaves so pays; without one nobody does. */
    async subscribed(
      buyer: Buyer,
      plan: PlanRow,
      { cadence = 'monthly', zone = 'Africa/Lagos', card }: { cadence?: Cadence; zone?: string; card?: Behaviour } = {},
    ): Promise<SubscriptionRow> {
      const made = await aSubscription(t, { ...buyer, zone }, plan, { cadence })
      const cardId = card ? await buyer.saveCard(card) : null
      await t.change(buyer.companyId, 'update subscriptions set card_id = $1 where id = $2', [cardId, made.id])
      return { ...made, card_id: cardId }
    },
    async row(id: string): Promise<SubscriptionRow> {
      const [row] = await t.rows<SubscriptionRow>('select * from subscriptions where id = $1', [id])
      if (!row) throw new Error(`no subscription ${id}`)
      return row
    },
    planOf: (id: number) => asLogin(t.pool, ({ tx }) => planById(tx, id)),

    /** Goes from one thing to do to the next, until an instant. */
    async until(end: Date, each: () => Promise<unknown> = run): Promise<void> {
      for (let at = await next(); at && at <= end; at = await next()) {
        if (at > now()) t.clock.set(at)
        await each()
        // Nothing is left due, or the job would be at it for ever.
        const left = await next()
        if (left && left <= now()) throw new Error(`still due: ${left.toISOString()}`)
      }
      if (end > now()) t.clock.set(end)
    },
    /** So many days after the day on which the period ends, in the evening of its zone. */
    async toDay({ period_end, zone }: SubscriptionRow, day: number): Promise<void> {
      const endsOn = Math.floor(wallAt(period_end.getTime(), zone) / dayMs)
      await this.until(new Date(instantAt((endsOn + day) * dayMs + eveningMs, zone)))
    },

    /** The purchases of a subscription, by their cycles; as the company sees them. */
    purchases: (companyId: number, id: string) =>
      inCompany(t, companyId, (ctx) =>
        ctx.tx
          .selectFrom('purchases')
          .selectAll()
          .where('company_id', '=', companyId)
          .where('subscription_id', '=', id)
          .orderBy('cycle')
          .orderBy('id')
          .execute(),
      ),
    /** A payer comes and pays what a subscription owes. */
    async payOwed(buyer: Buyer, id: string) {
      const payment = await inCompany(t, buyer.companyId, async (ctx) => {
        await lockAccount(ctx)
        const owed = await ctx.tx
          .selectFrom('purchases')
          .selectAll()
          .where('company_id', '=', buyer.companyId)
          .where('subscription_id', '=', id)
          .where('paid_at', 'is', null)
          .where('voided_at', 'is', null)
          .executeTakeFirstOrThrow()
        return insertPayment(ctx, {
          ...{
            purchase_id: owed.id,
            provider: 'paystack',
            reference: newReference(t.services.secret, buyer.companyId),
          },
          ...{ currency: owed.currency, amount: owed.total, created_at: now(), closes_at: now(), check_at: now() },
        })
      })
      return paid(t, buyer, payment)
    },
    /** The mails since the last time, as address and subject. */
    news: newsOf(() => t.mails()),
    charges: () => peer.movements.filter(({ reference }) => /-s\d+-c\d+-a\d+$/.test(reference)),
  }
}

function newsOf(mails: () => Promise<Mail[]>) {
  let seen = 0
  return async () => {
    const all = await mails()
    const fresh = all.slice(seen)
    seen = all.length
    return fresh
  }
}
