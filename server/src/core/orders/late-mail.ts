import { Locale, withoutLink } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { z } from 'zod'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { findCompany } from '../company/company.ts'
import { lateMailAddress } from './eta-queries.ts'
import { etaOf } from './eta-state.ts'
import { findOrder, receiversOf } from './order-queries.ts'

const Payload = z.strictObject({ companyId: z.number().int(), orderId: z.string(), receiverIds: z.array(z.string()) })

/** Mails the company's dispatch, in its language, which receivers of an order are late. Nothing where no address is set. */
export const lateMail: Job<z.infer<typeof Payload>> = {
  name: 'order-late-mail',
  payload: Payload,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, clock, config: { publicUrl } }, { companyId, orderId, receiverIds }) {
    const found = await inTenant(pool, companyId, async ({ tx }) => {
      const ctx = { tx, companyId }
      const to = await lateMailAddress(ctx)
      return to === null
        ? null
        : {
            ...{ to, order: await findOrder(ctx, orderId), company: await findCompany(tx, companyId) },
            receivers: (await receiversOf(ctx, [orderId])).filter(({ id }) => receiverIds.includes(id)),
          }
    })
    if (!found) return
    const { to, order, company, receivers } = found
    const locale = Locale.parse(company.locale)
    const code = showTrackingCode(order.tracking_code)
    const say = (key: string, values: Record<string, unknown> = {}) =>
      translate(locale, `orderTracking:mail.${key}`, values)
    const lines = receivers.map((row) => {
      const expected = Math.max(clock.now().getTime(), Date.parse(etaOf(row)?.at ?? '') || 0)
      return say('receiver', {
        ...{ receiver: withoutLink(row.name), address: withoutLink(row.address) },
        expected: writeTime(locale, row.zone, new Date(expected)),
        due: writeTime(locale, row.zone, row.window_by ?? order.deliver_by),
      })
    })
    const mail = mailOfParts(to, say('subject', { code }), [
      { lead: say('subject', { code }) },
      { lines },
      { name: say('action'), url: `${publicUrl}/dispatch/order/${orderId}` },
    ])
    await mailer.send({ ...mail, key: `order-late:${companyId}:${orderId}:${receiverIds.join()}` })
  },
}
