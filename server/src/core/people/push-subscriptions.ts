import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Ends pushes to all browsers of a person, as the tenant: where sessions end that the person did not end at that browser, it
 * may be in other hands. One that is still logged in subscribes again when it is next opened.
 */
export const endPushes = (tx: Tx, companyId: number, userId: string) =>
  tx.deleteFrom('push_subscriptions').where('company_id', '=', companyId).where('user_id', '=', userId).execute()
