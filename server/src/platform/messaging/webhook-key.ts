import { randomBytes } from 'node:crypto'
import type { Client, Pool } from '../db/pool.ts'
import { asPipeline } from '../db/transaction.ts'

export interface WebhookKeyRow {
  secret: string
  createdAt: Date
}

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`

const columns = 'secret, created_at as "createdAt"'

/** The key that signs a company's webhooks, made where there is none yet. As app of that company, or as pipeline. */
export async function webhookKey(client: Client, companyId: number, now: Date): Promise<WebhookKeyRow> {
  const find = async () =>
    (await client.query<WebhookKeyRow>(`select ${columns} from webhook_keys where company_id = $1`, [companyId]))
      .rows[0]
  const known = await find()
  if (known) return known
  await client.query(
    'insert into webhook_keys (company_id, secret, created_at) values ($1, $2, $3) on conflict (company_id) do nothing',
    [companyId, newWebhookSecret(), now],
  )
  const made = await find()
  if (!made) throw new Error('the key of webhooks is not there')
  return made
}

/** The same for whoever sends. The HMAC takes the secret as it is written, its prefix included. */
export const signingSecret = (pool: Pool, companyId: number): Promise<Buffer> =>
  asPipeline(pool, async ({ client }) => Buffer.from((await webhookKey(client, companyId, new Date())).secret))
