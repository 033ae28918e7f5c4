import { Locale, withoutLink } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { localTime } from '../alerts/alert-texts.ts'
import { findCompany } from '../company/company.ts'
import { linkOf } from './link-queries.ts'
import { urlOf } from './link-url.ts'
import { findReceiver } from './order-queries.ts'

const News = z.enum(['started', 'snoozed', 'unsnoozed', 'cancelled', 'handOverVoid'])
/** The news that a receiver gets by mail. */
export type News = z.infer<typeof News>

const Payload = z.strictObject({ companyId: z.number().int(), orderId: z.string(), receiverId: z.string(), what: News })

/** Mails a receiver, in their language, of a change of their delivery, with the link to its page. Nothing where the link was revoked by now. */
export const receiverMail: Job<z.infer<typeof Payload>> = {
  name: 'receiver-mail',
  payload: Payload,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config, secret }, { companyId, orderId, receiverId, what }) {
    const found = await inTenant(pool, companyId, async ({ tx }) => {
      const ctx = { tx, companyId }
      const link = await linkOf(ctx, { orderId, receiverId })
      return (
        link && {
          link,
          receiver: await findReceiver(ctx, orderId, receiverId),
          company: await findCompany(tx, companyId),
        }
      )
    })
    if (!found) return
    const { link, receiver, company } = found
    const to = receiver.email
    // A snooze may be over before a mail server takes the news of it.
    if (!to || (what === 'snoozed' && !receiver.snoozed_until)) return
    const locale = Locale.parse(receiver.locale ?? company.locale)
    const until = receiver.snoozed_until && localTime(locale, receiver.zone, receiver.snoozed_until.toISOString())
    const about = {
      ...{ company: withoutLink(company.name), name: withoutLink(receiver.name) },
      ...{ address: withoutLink(receiver.address), until: until ?? '' },
    }
    const say = (key: string) => translate(locale, `orderLinks:mail.${key}`, about)
    const mail = mailOfParts(to, say(`${what}.subject`), [
      say('greeting'),
      { lead: say(`${what}.lead`) },
      ...(what === 'snoozed' && receiver.snooze_reason ? [{ lines: [withoutLink(receiver.snooze_reason)] }] : []),
      { name: say(`${what}.action`), url: urlOf({ config, secret }, companyId, link) },
      say('note'),
    ])
    await mailer.send(mail)
  },
}
