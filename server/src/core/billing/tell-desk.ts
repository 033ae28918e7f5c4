import { z } from 'zod'
import { majorText } from '../../domain/money.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts, type Part } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'
import { findSeller } from '../provider/seller.ts'
import { paymentById } from './payment-queries.ts'

const UnderReview = z.strictObject({ companyId: z.number().int(), paymentId: z.string() })

/** Where the operator reads of money; undefined: nowhere but in the log. */
export const deskAddress = async ({ pool, config }: Services): Promise<string | undefined> =>
  config.supportEmail ?? (await asLogin(pool, ({ tx }) => findSeller(tx)))?.email ?? undefined

/** Mails the operator, where there is an address: the log has said it all the same. In English, as the command line is. */
export async function mailDesk(services: Services, subject: string, key: string, parts: Part[]): Promise<void> {
  const to = await deskAddress(services)
  if (to) await services.mailer.send({ ...mailOfParts(to, `Isotherm: ${subject}`, parts), key })
}

/** Mails the operator of money that came in and does not fit. */
export const tellDesk: Job<z.infer<typeof UnderReview>> = {
  name: 'payment-under-review',
  payload: UnderReview,
  retryLimit: mailRetries,
  async run(services, { companyId, paymentId }) {
    const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, paymentId))
    if (!payment) return
    const { reference, provider, amount, currency, failure_code: code, failure_text: text } = payment
    const { paid_amount: paid, paid_currency: paidIn } = payment
    const key = `payment-under-review:${companyId}:${paymentId}`
    await mailDesk(services, `a payment must be looked at (${reference})`, key, [
      { lead: 'Money came in that does not fit, and nothing was given for it.' },
      {
        lines: [
          `Company ${companyId}`,
          `Reference ${reference} at ${provider}`,
          `Expected ${majorText(Number(amount), currency)} ${currency}`,
          ...(paid && paidIn ? [`Came in ${majorText(Number(paid), paidIn)} ${paidIn}`] : []),
          `Why: ${text ?? code ?? 'unknown'}`,
        ],
      },
      'Look it up in the dashboard of the payment provider, then decide: npm run provider -- payments resolve give, refund or close. All of them: npm run provider -- payments list',
    ])
  },
}
