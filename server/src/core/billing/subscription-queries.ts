import type { Insertable, Selectable, Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { Subscriptions } from '../../platform/db/schema.ts'

export type SubscriptionRow = Selectable<Subscriptions>

export const insertSubscription = (
  { tx, companyId }: TenantTx,
  subscription: Omit<Insertable<Subscriptions>, 'company_id'>,
): Promise<SubscriptionRow> =>
  tx
    .insertInto('subscriptions')
    .values({ company_id: companyId, ...subscription })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Subscriptions that a card renewed are paid by a page, or a transfer. The account is locked. */
export const renewByPage = ({ tx, companyId }: TenantTx, cardId: string) =>
  tx
    .updateTable('subscriptions')
    .set({ card_id: null })
    .where('company_id', '=', companyId)
    .where('card_id', '=', cardId)
    .execute()

/** Has the job look at a subscription that goes on. The account is locked. */
export const lookAtSubscription = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ next_action_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', 'in', ['active', 'past_due'])
    .execute()

/** The account is locked by all that changes a subscription. */
export const subscriptionById = ({ tx, companyId }: TenantTx, id: string): Promise<SubscriptionRow | undefined> =>
  tx.selectFrom('subscriptions').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

/** The subscriptions whose days without pay may not be counted yet. */
export const mayHaveRunUnpaid = ({ tx, companyId }: TenantTx): Promise<SubscriptionRow[]> =>
  tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('state', '<>', 'active')
    .where((where) =>
      where.or([
        where('unpaid_from', 'is', null),
        where('unpaid_from', '<', where.ref('ended_at')),
        where('ended_at', 'is', null),
      ]),
    )
    .orderBy('period_end', 'desc')
    .limit(50)
    .execute()

export const updateSubscription = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Updateable<Subscriptions>,
): Promise<SubscriptionRow> =>
  tx
    .updateTable('subscriptions')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
