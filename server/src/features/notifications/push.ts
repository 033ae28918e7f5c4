import { ECDH } from 'node:crypto'
import type { PushBrowser } from '@isotherm/contract/notifications.ts'
import { sql } from 'kysely'
import { invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'

const maxBrowsers = 10

/** Notes a browser to push to; of very many the oldest are forgotten. */
export async function addBrowser(ctx: Context, { endpoint, p256dh, auth }: PushBrowser): Promise<void> {
  if (!isPoint(p256dh)) throw invalidField('p256dh', 'invalid')
  const { tx, companyId, person } = ctx
  const values = { user_id: person.id, p256dh, auth, created_at: ctx.clock.now() }
  await tx
    .insertInto('push_subscriptions')
    .values({ company_id: companyId, endpoint, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'endpoint']).doUpdateSet(values))
    .execute()
  await sql`delete from push_subscriptions where company_id = ${companyId} and id in (
    select id from push_subscriptions where company_id = ${companyId} and user_id = ${person.id}::int8
    order by created_at desc, id desc offset ${maxBrowsers})`.execute(tx)
}

/** Whether it is a point of the curve P-256: nothing can be encrypted for anything else. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

export async function removeBrowser({ tx, companyId, person }: Context, endpoint: string): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('company_id', '=', companyId)
    .where('user_id', '=', person.id)
    .where('endpoint', '=', endpoint)
    .execute()
}
