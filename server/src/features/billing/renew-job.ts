import { z } from 'zod'
import { tellOfCards } from '../../core/billing/card-notices.ts'
import { tellOfLicences } from '../../core/billing/licence-notices.ts'
import { renew } from '../../core/billing/renew.ts'
import { chargesSince, subscriptionsDue } from '../../core/billing/renewal-queries.ts'
import { deskAddress } from '../../core/billing/tell-desk.ts'
import { asLogin, asPipeline } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'

const maxPerRun = 200
const concurrency = 4
const dayMs = 86_400_000

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Every minute: renews the subscriptions that are due. Where nothing is sold it charges nothing. */
export const renewSubscriptions: Job<Record<string, never>> = {
  name: 'renew-subscriptions',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    const { config, pool, clock, log } = services
    if (!config.billing.isOn) return
    const now = clock.now()
    const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
    const { due, charged } = await asPipeline(pool, async ({ tx }) => ({
      due: await subscriptionsDue(tx, now, maxPerRun),
      charged: await chargesSince(tx, today),
    }))
    const budget = { left: config.billingDailyMax - charged, heldBack: 0 }
    const failed = ({ company_id: companyId, id }: (typeof due)[number], err: unknown) =>
      log.error({ err, companyId, subscription: id }, 'a subscription could not be renewed')
    await eachApart(due, { concurrency, failed }, ({ company_id: companyId, id }) =>
      renew(services, companyId, id, budget),
    )
    if (budget.heldBack === 0) return
    log.error({ charges: budget.heldBack }, 'charges were put off until tomorrow: BILLING_DAILY_MAX is reached')
    await asLogin(pool, ({ client }) => services.enqueue(client, tellOfMaximum, { day: dayOf(now) }))
  },
}

const OfDay = z.strictObject({ day: z.string() })

/** Tells the operator, once a day, that the charges of a day are more than they may be. In English, as the command line is. */
export const tellOfMaximum: Job<z.infer<typeof OfDay>> = {
  name: 'daily-maximum-reached',
  payload: OfDay,
  retryLimit: mailRetries,
  atMost: { keyOf: ({ day }) => day, everyS: dayMs / 1000 },
  async run(services, { day }) {
    const to = await deskAddress(services)
    if (!to || day !== dayOf(services.clock.now())) return
    const mail = mailOfParts(to, 'Isotherm: charges were put off', [
      `More renewals are due today (${day}) than BILLING_DAILY_MAX allows (${services.config.billingDailyMax}). The others are charged tomorrow, and nothing stops for those companies.`,
      'Where that many are right, set BILLING_DAILY_MAX higher. Where they are not, stop all of them: npm run provider -- billing pause',
    ])
    await services.mailer.send({ ...mail, key: `daily-maximum:${day}` })
  },
}

/** Every hour: says which trials, and licences of keys, end soon. */
export const tellLicenceEnds: Job<Record<string, never>> = {
  name: 'tell-licence-ends',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '10 * * * *',
  run: tellOfLicences,
}

/** Every hour: says which cards that pay by themselves end soon. */
export const tellCardEnds: Job<Record<string, never>> = {
  name: 'tell-card-ends',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '25 * * * *',
  run: tellOfCards,
}
