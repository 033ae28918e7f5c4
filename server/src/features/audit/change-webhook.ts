import type { Context } from '../../platform/context.ts'
import { InvalidInput } from '../../platform/errors/app-error.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'
import { findSettings, type SettingsRow, saveWebhook } from './checkpoint-queries.ts'
import { postCheckpoints } from './jobs.ts'

/** Changes where checkpoints are posted; null: nowhere. Throws the 422 that an alarm's webhook of this address would have. */
export async function changeWebhook(ctx: Context, webhookUrl: string | null): Promise<SettingsRow | undefined> {
  const fault = webhookUrl && addressFault(webhookUrl, ctx.services.config.webhookAllowPrivate)
  if (fault) throw new InvalidInput([{ path: 'webhookUrl', message: { key: `fields.${fault}`, values: {} } }])
  const before = await findSettings(ctx.tx, ctx.companyId)
  await saveWebhook(ctx.tx, ctx.companyId, webhookUrl, ctx.clock.now())
  ctx.audit({
    action: 'audit.webhookChanged',
    before: { webhookUrl: before?.webhook_url ?? null },
    after: { webhookUrl },
  })
  // So that whoever set it soon sees whether it works.
  if (webhookUrl) await ctx.enqueue(postCheckpoints, { companyId: ctx.companyId })
  return findSettings(ctx.tx, ctx.companyId)
}
