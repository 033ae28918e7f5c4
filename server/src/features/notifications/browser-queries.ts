import type { PushBrowser } from '@isotherm/contract/notifications.ts'
import { sql } from 'kysely'
import type { Context, ViewerTx } from '../../platform/context.ts'

const maxBrowsers = 10

/** Notes a browser to push to; of very many the oldest are forgotten. */
export async function keepBrowser(ctx: ViewerTx & Pick<Context, 'clock'>, { endpoint, p256dh, auth }: PushBrowser) {
  const { tx, companyId, person, clock } = ctx
  const values = { user_id: person.id, p256dh, auth, created_at: clock.now() }
  await tx
    .insertInto('push_subscriptions')
    .values({ company_id: companyId, endpoint, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'endpoint']).doUpdateSet(values))
    .execute()
  await sql`delete from push_subscriptions where company_id = ${companyId} and id in (
    select id from push_subscriptions where company_id = ${companyId} and user_id = ${person.id}::int8
    order by created_at desc, id desc offset ${maxBrowsers})`.execute(tx)
}

export const removeBrowser = ({ tx, companyId, person }: ViewerTx, endpoint: string) =>
  tx
    .deleteFrom('push_subscriptions')
    .where('company_id', '=', companyId)
    .where('user_id', '=', person.id)
    .where('endpoint', '=', endpoint)
    .execute()
