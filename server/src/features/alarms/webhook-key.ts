import { findWebhookKey, replaceWebhookKey, type WebhookKeyRow } from '../../core/alerts/webhook-key.ts'
import type { Context } from '../../platform/context.ts'

/**
 * The key that signs the company's webhooks. It can be read again, since a receiver that is added later needs the same key; each
 * time leaves an entry.
 */
export async function showWebhookKey(ctx: Context): Promise<WebhookKeyRow> {
  const row = await findWebhookKey(ctx.tx, ctx.companyId)
  ctx.audit({ action: 'alarms.webhookKeyShown' })
  return row
}

/** A new one; what is sent from now on is signed with it alone. */
export async function rotateWebhookKey(ctx: Context): Promise<WebhookKeyRow> {
  const row = await replaceWebhookKey(ctx.tx, ctx.companyId, ctx.clock.now())
  ctx.audit({ action: 'alarms.webhookKeyRotated' })
  return row
}
