import type { PushBrowser } from '@isotherm/contract/notifications.ts'
import { sql } from 'kysely'
import type { Context, ViewerTx } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, type Tx } from '../../platform/db/transaction.ts'

/**
 * Ends pushes to all browsers of a person, as the tenant: where sessions end that the person did not end at that browser, it
 * may be in other hands. One that is still logged in subscribes again when it is next opened.
 */
export const endPushes = (tx: Tx, companyId: number, userId: string) =>
  tx.deleteFrom('push_subscriptions').where('company_id', '=', companyId).where('user_id', '=', userId).execute()

const maxBrowsers = 10

/**
 * Notes a browser to push to; of very many the oldest are forgotten. It is taken from a colleague who had it: that row goes, and
 * with its id what still waits to be pushed to the colleague.
 */
export async function keepBrowser(ctx: ViewerTx & Pick<Context, 'clock'>, { endpoint, p256dh, auth }: PushBrowser) {
  const { tx, companyId, person, clock } = ctx
  const values = { user_id: person.id, p256dh, auth, created_at: clock.now() }
  await tx
    .deleteFrom('push_subscriptions')
    .where('company_id', '=', companyId)
    .where('endpoint', '=', endpoint)
    .where('user_id', '<>', person.id)
    .execute()
  await tx
    .insertInto('push_subscriptions')
    .values({ company_id: companyId, endpoint, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'endpoint']).doUpdateSet(values))
    .execute()
  await sql`delete from push_subscriptions where company_id = ${companyId} and id in (
    select id from push_subscriptions where company_id = ${companyId} and user_id = ${person.id}::int8
    order by created_at desc, id desc offset ${maxBrowsers})`.execute(tx)
}

/** Takes a browser from the people of other companies: whoever subscribes it now is the one who holds it. */
export const takeFromOtherCompanies = (pool: Pool, companyId: number, endpoint: string): Promise<void> =>
  asPipeline(pool, async ({ client }) => {
    await client.query('delete from push_subscriptions where endpoint = $1 and company_id <> $2', [endpoint, companyId])
  })

export const removeBrowser = ({ tx, companyId, person }: ViewerTx, endpoint: string) =>
  tx
    .deleteFrom('push_subscriptions')
    .where('company_id', '=', companyId)
    .where('user_id', '=', person.id)
    .where('endpoint', '=', endpoint)
    .execute()

/** A subscription that the push service reports as gone, or that cannot be pushed to, is not tried again. */
export const forgetPushTarget = (pool: Pool, companyId: number, id: string): Promise<void> =>
  asPipeline(pool, async ({ client }) => {
    await client.query('delete from push_subscriptions where company_id = $1 and id = $2', [companyId, id])
  })
