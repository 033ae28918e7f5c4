import type { WebhookKey } from '@isotherm/contract/alarms.ts'
import type { Context } from '../../platform/http/context.ts'
import { newWebhookSecret } from '../../platform/messaging/webhook-key.ts'

const columns = ['secret', 'created_at'] as const
interface Row {
  secret: string
  created_at: Date
}
const present = ({ secret, created_at }: Row): WebhookKey => ({ secret, createdAt: created_at.toISOString() })

/**
 * The key that signs the company's webhooks; made now where nothing was sent yet. It can be read again, since a receiver that is
 * added later needs the same key; each time leaves an entry.
 */
export async function getWebhookKey(ctx: Context): Promise<WebhookKey> {
  const made = await ctx.tx
    .insertInto('webhook_keys')
    .values({ company_id: ctx.companyId, secret: newWebhookSecret(), created_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.column('company_id').doNothing())
    .returning(columns)
    .executeTakeFirst()
  ctx.audit({ action: made ? 'alarms.webhookKeyMade' : 'alarms.webhookKeyShown' })
  const row =
    made ??
    (await ctx.tx
      .selectFrom('webhook_keys')
      .select(columns)
      .where('company_id', '=', ctx.companyId)
      .executeTakeFirstOrThrow())
  return present(row)
}

/** A new one; what is sent from now on is signed with it alone. */
export async function rotateWebhookKey(ctx: Context): Promise<WebhookKey> {
  const fresh = { secret: newWebhookSecret(), created_at: ctx.clock.now() }
  const row = await ctx.tx
    .insertInto('webhook_keys')
    .values({ company_id: ctx.companyId, ...fresh })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(fresh))
    .returning(columns)
    .executeTakeFirstOrThrow()
  ctx.audit({ action: 'alarms.webhookKeyRotated' })
  return present(row)
}
