import { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { noticeTexts, type WebhookNotice } from '../../core/alerts/notice-texts.ts'
import { announce, writeLines } from '../../core/alerts/notification-lines.ts'
import { adminsOf } from '../../core/billing/payer-queries.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'

interface Telling extends TenantTx {
  services: Services
  client: Client
  now: Date
  afterCommit(work: () => void): void
}

const Mailed = z.object({
  companyId: z.number().int(),
  userId: z.string(),
  key: z.string(),
  notice: z.custom<WebhookNotice>(),
})

/** Tells the Admins that an endpoint fails or was disabled, in the app and by mail. In the transaction that makes it so. */
export async function tellOfEndpoint(of: Telling, notice: WebhookNotice): Promise<void> {
  const admins = await adminsOf(of)
  const news = await writeLines(
    of.client,
    admins.map(({ id }) => ({
      ...{ company_id: of.companyId, user_id: id, kind: 'webhook', severity: 'warning' as const },
      ...{ device_id: null, alarm_id: null, trigger_id: null, params: notice, at: of.now },
    })),
  )
  const key = `${notice.webhook}:${notice.endpointId}:${of.now.getTime()}`
  await withLogin(of.tx, async () => {
    for (const { id: userId } of admins)
      await of.services.enqueue(of.client, webhookMail, { companyId: of.companyId, userId, key, notice })
  })
  of.afterCommit(() => announce(of.services.bus, news))
}

/** One mail to one Admin, if they still are one. */
export const webhookMail: Job<z.infer<typeof Mailed>> = {
  name: 'webhook-mail',
  payload: Mailed,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config }, { companyId, userId, key, notice }) {
    const admins = await inTenant(pool, companyId, ({ tx }) => adminsOf({ tx, companyId }))
    const to = admins.find(({ id }) => id === userId)
    if (!to) return
    const locale = Locale.parse(to.locale)
    const { subject } = noticeTexts(locale, notice)
    const say = (name: string) => translate(locale, `webhooks:mail.${name}`)
    const mail = mailOfParts(to.email, subject, [
      ...[say('greeting'), { lead: subject }, say(notice.webhook)],
      { name: say('action'), url: `${config.publicUrl}/developers` },
    ])
    await mailer.send({ ...mail, key: `webhook:${companyId}:${key}:${userId}` })
  },
}
