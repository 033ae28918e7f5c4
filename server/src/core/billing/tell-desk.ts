import { z } from 'zod'
import { majorText } from '../../domain/money.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'
import { findSeller } from '../provider/seller.ts'
import { paymentById } from './payment-queries.ts'

const UnderReview = z.strictObject({ companyId: z.number().int(), paymentId: z.string() })

/** Where the operator reads of money; undefined: nowhere but in the log. */
export const deskAddress = async ({ pool, config }: Services): Promise<string | undefined> =>
  config.supportEmail ?? (await asLogin(pool, ({ tx }) => findSeller(tx)))?.email ?? undefined

/** Mails the operator of money that came in and does not fit. In English, as the command line is. */
export const tellDesk: Job<z.infer<typeof UnderReview>> = {
  name: 'payment-under-review',
  payload: UnderReview,
  retryLimit: 8,
  async run(services, { companyId, paymentId }) {
    const to = await deskAddress(services)
    const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, paymentId))
    // Without an address the log has said it.
    if (!to || !payment) return
    const { reference, provider, amount, currency, failure_code: code, failure_text: text } = payment
    const mail = mailOfParts(to, `Isotherm: a payment must be looked at (${reference})`, [
      { lead: 'Money came in that does not fit, and nothing was given for it.' },
      {
        lines: [
          `Company ${companyId}`,
          `Reference ${reference} at ${provider}`,
          `Expected ${majorText(Number(amount), currency)} ${currency}`,
          `Why: ${text ?? code ?? 'unknown'}`,
        ],
      },
      'Look it up in the dashboard of the payment provider. Pay it back there, or grant the units: npm run provider -- wallet grant. All of them: npm run provider -- payments list',
    ])
    await services.mailer.send({ ...mail, key: `payment-under-review:${companyId}:${paymentId}` })
  },
}
