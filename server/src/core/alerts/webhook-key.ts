import { randomBytes } from 'node:crypto'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, type Tx } from '../../platform/db/transaction.ts'

export interface WebhookKeyRow {
  secret: string
  created_at: Date
}

const columns = ['secret', 'created_at'] as const
const freshKey = (now: Date): WebhookKeyRow => ({
  secret: `whsec_${randomBytes(32).toString('base64')}`,
  created_at: now,
})

/** The key that signs a company's webhooks: it has one from its beginning. As app of that company, or as pipeline. */
export const findWebhookKey = (tx: Tx, companyId: number): Promise<WebhookKeyRow> =>
  tx.selectFrom('webhook_keys').select(columns).where('company_id', '=', companyId).executeTakeFirstOrThrow()

/** Makes the key of a new company, or another one instead of the one it has. */
export const replaceWebhookKey = (tx: Tx, companyId: number, now: Date): Promise<WebhookKeyRow> =>
  tx
    .insertInto('webhook_keys')
    .values({ company_id: companyId, ...freshKey(now) })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(freshKey(now)))
    .returning(columns)
    .executeTakeFirstOrThrow()

/** The same for whoever sends. The HMAC takes the secret as it is written, its prefix included. */
export const signingSecret = (pool: Pool, companyId: number): Promise<Buffer> =>
  asPipeline(pool, async ({ tx }) => Buffer.from((await findWebhookKey(tx, companyId)).secret))
