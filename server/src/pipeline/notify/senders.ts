import type { Mailer } from '../../platform/mail/mailer.ts'
import { mailOf } from '../../platform/messaging/alert-mail.ts'
import { outboxFile } from '../../platform/messaging/outbox.ts'
import { postWebhook } from '../../platform/messaging/webhook.ts'
import type { DeliverTools, Sender } from './deliver.ts'
import { linkOf, type OutwardChannel, shortText, textsOf } from './messages.ts'

interface Means {
  mailer: Mailer
  /** The folder of what has no provider. */
  outbox: string
  publicUrl: string
  /** Signs webhooks. */
  secret: Buffer
  allowPrivate: boolean
  log: DeliverTools['log']
}

/** What sends a message, by channel. Without a provider, SMS and chat messages lie in the outbox, as mail does. */
export function sendersOf(means: Means): Record<OutwardChannel, Sender> {
  const toOutbox: Sender = {
    async send(delivery) {
      const { channel, address, key } = delivery
      await outboxFile(means.outbox, means.log, {
        channel,
        to: address,
        key,
        text: shortText(delivery.payload, delivery.locale, means.publicUrl),
      })
      return { ok: true, provider: 'outbox', providerId: null }
    },
  }
  return {
    mail: {
      async send(delivery) {
        await means.mailer.send(
          mailOf(
            delivery.address,
            delivery.locale,
            textsOf(delivery.payload, delivery.locale),
            linkOf(delivery.payload, means.publicUrl),
          ),
        )
        return { ok: true, provider: 'mail', providerId: null }
      },
    },
    sms: toOutbox,
    chat: toOutbox,
    webhook: {
      async send(delivery) {
        const body = JSON.stringify({
          id: delivery.key,
          text: textsOf(delivery.payload, delivery.locale).line,
          link: linkOf(delivery.payload, means.publicUrl),
          alerts: delivery.payload.alerts,
          more: delivery.payload.more,
        })
        return postWebhook(delivery.address, body, {
          key: delivery.key,
          secret: means.secret,
          allowPrivate: means.allowPrivate,
        })
      },
    },
  }
}
