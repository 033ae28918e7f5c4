import { withoutLink } from '@isotherm/contract/common.ts'
import { makeAcknowledgeToken } from '../../core/alarms/acknowledge-links.ts'
import { mailOf } from '../../core/alerts/alert-mail.ts'
import type { AlertTexts } from '../../core/alerts/alert-texts.ts'
import { forgetPushTarget } from '../../core/people/push-subscriptions.ts'
import type { MessagingAccounts } from '../../platform/config/messaging.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { outboxFile } from '../../platform/messaging/outbox.ts'
import { sendByAfricasTalking } from '../../platform/messaging/providers/africas-talking.ts'
import type { PhoneMessage } from '../../platform/messaging/providers/ask.ts'
import { sendByTwilio } from '../../platform/messaging/providers/twilio.ts'
import { sendByWhatsApp } from '../../platform/messaging/providers/whats-app.ts'
import { sendPush } from '../../platform/messaging/web-push.ts'
import { postWebhook } from '../../platform/messaging/webhook.ts'
import type { DeliverTools, OutboundMessage, Sender } from './deliver.ts'
import { receiptPath } from './delivery-receipts.ts'
import { chatText, linkOf, type OutwardChannel, smsText, subjectOf, textsOf } from './messages.ts'
import { pushText } from './push-text.ts'
import { readPushTarget } from './pushes.ts'
import { readTrend } from './trend-queries.ts'

interface SenderTools {
  pool: Pool
  /** The installation's secret. */
  secret: Buffer
  mailer: Mailer
  /** The folder of what has no provider. */
  outbox: string
  publicUrl: string
  /** Reads the key that signs a company's webhooks. */
  webhookSecretOf(companyId: number): Promise<Buffer>
  allowPrivate: boolean
  accounts: MessagingAccounts
  log: DeliverTools['log']
  now(): Date
}

/** The senders, by channel. Without a provider, SMS and chat messages are written to the mail folder, as mail is. */
export function sendersOf(means: SenderTools): Record<OutwardChannel, Sender> {
  const { twilio, africasTalking, whatsApp, webPush } = means.accounts
  const textOf = ({ channel, payload, locale }: OutboundMessage) =>
    (channel === 'sms' ? smsText : chatText)(payload, locale, means.publicUrl)
  const messageOf = (delivery: OutboundMessage): PhoneMessage => {
    const { address, locale, key } = delivery
    return { to: address, text: textOf(delivery), locale, key }
  }
  const toOutbox: Sender = {
    async send(delivery) {
      const { channel, address, key } = delivery
      await outboxFile(means.outbox, means.log, {
        channel,
        to: address,
        key,
        text: textOf(delivery),
      })
      return { ok: true, provider: 'outbox', providerId: null }
    },
  }
  return {
    mail: {
      async send(delivery) {
        const { address, companyId, key, locale, payload, userId } = delivery
        const texts = textsOf(payload, locale)
        const mail = mailOf(address, {
          locale,
          texts: userId === null ? withoutLinks(texts) : texts,
          link: linkOf(payload, means.publicUrl),
          about: subjectOf(payload),
          trend: await trendOf(means, delivery),
          acknowledge: await acknowledgeUrl(means, delivery, means.publicUrl),
        })
        await means.mailer.send({ ...mail, key: `${companyId} ${key}` })
        return { ok: true, provider: 'mail', providerId: null }
      },
    },
    sms: twilio
      ? { send: (each) => sendByTwilio(twilio, messageOf(each), means.publicUrl + receiptPath('twilio')) }
      : africasTalking
        ? { send: (each) => sendByAfricasTalking(africasTalking, messageOf(each)) }
        : toOutbox,
    chat: whatsApp ? { send: (each) => sendByWhatsApp(whatsApp, messageOf(each)) } : toOutbox,
    webhook: {
      async send(delivery) {
        const body = JSON.stringify({
          id: delivery.key,
          text: textsOf(delivery.payload, delivery.locale).placed,
          link: linkOf(delivery.payload, means.publicUrl),
          alerts: delivery.payload.alerts,
          more: delivery.payload.more,
        })
        return postWebhook(delivery.address, body, {
          key: delivery.key,
          secret: await means.webhookSecretOf(delivery.companyId),
          allowPrivate: means.allowPrivate,
        })
      },
    },
    push: {
      async send(delivery) {
        const { companyId, address, payload, locale, severity, key } = delivery
        const target = await readPushTarget(means.pool, companyId, address)
        if (!target || !webPush) return { ok: false, reason: target ? 'notConfigured' : 'noAddress' }
        const isUrgent = severity === 'critical'
        const how = { isUrgent, allowPrivate: means.allowPrivate, now: new Date() }
        const pushed = await sendPush(
          webPush,
          target,
          pushText(payload, locale, key, await acknowledgeUrl(means, delivery, '')),
          how,
        )
        if (!pushed.ok && pushed.isGone) await forgetPushTarget(means.pool, companyId, address)
        return pushed
      },
    },
  }
}

/** The texts of a mail to an address that may be anybody's. */
const withoutLinks = (texts: AlertTexts): AlertTexts => ({
  ...texts,
  ...{ subject: withoutLink(texts.subject), lead: withoutLink(texts.lead), details: texts.details.map(withoutLink) },
})

/** The last hours of the device that a message tells of first. Its reader may see it: what they may not was taken out before. */
async function trendOf({ pool, now }: SenderTools, { companyId, payload }: OutboundMessage) {
  const [alert, deviceId] = [payload.alerts[0], payload.deviceIds?.[0] ?? null]
  if (!alert || deviceId === null || alert.event === 'withdrawn') return null
  const trend = await readTrend(pool, { companyId, deviceId }, alert, now())
  return trend && { trend, alert }
}

const asksForSomebody: ReadonlySet<string> = new Set(['opened', 'reminder', 'escalated', 'unsnoozed', 'worsened'])

/** The page where a person acknowledges all that a message tells of, which it lists; null where that is over, or has no one reader. */
async function acknowledgeUrl({ pool, secret, now }: SenderTools, delivery: OutboundMessage, publicUrl: string) {
  const { event, userId, payload } = delivery
  if (userId === null || !asksForSomebody.has(event) || payload.triggerId === null) return null
  const token = await asPipeline(pool, ({ tx }) => makeAcknowledgeToken(tx, secret, delivery, now()))
  // Browsers send the part after the # to no server, so no proxy logs it.
  return `${publicUrl}/acknowledge#${token}`
}
