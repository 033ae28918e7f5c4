import { z } from 'zod'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { onBehalf } from '../people/on-behalf.ts'
import { insuranceOf } from './insurance-queries.ts'
import { findOrder } from './order-queries.ts'

const Wanted = z.strictObject({
  companyId: z.number().int(),
  /** The person who made the order. */
  userId: z.string(),
  orderId: z.string(),
  what: z.enum(['certified', 'declined', 'void']),
})

/** Tells the person who made an order what the insurer says, where they may still see it. */
export const insuranceMail: Job<z.infer<typeof Wanted>> = {
  name: 'insurance-mail',
  payload: Wanted,
  retryLimit: mailRetries,
  async run(services, { companyId, userId, orderId, what }) {
    const to = await onBehalf(services, { companyId, userId }, async (ctx) => {
      const row = await insuranceOf(ctx, orderId)
      if (!row || ctx.person.key || !ctx.can('dispatch.view')) return null
      const { tracking_code } = await findOrder(ctx, orderId)
      return { person: ctx.person, locale: ctx.locale, code: showTrackingCode(tracking_code), row }
    })
    if (!to) return
    const { person, locale, code, row } = to
    const values = {
      ...{ name: person.fullname, code, plan: row.plan.name, insurer: row.plan.insurer },
      ...{ policy: row.policy_number ?? '', reason: row.void_reason ?? '' },
    }
    const mail = mailOfParts(person.email, translate(locale, `insurances:mail.${what}.subject`, values), [
      translate(locale, 'insurances:mail.greeting', values),
      { lead: translate(locale, `insurances:mail.${what}.text`, values) },
      {
        name: translate(locale, 'insurances:mail.action'),
        url: `${services.config.publicUrl}/dispatch/order/${orderId}`,
      },
    ])
    await services.mailer.send({ ...mail, key: `insurance:${companyId}:${row.id}:${what}` })
  },
}
