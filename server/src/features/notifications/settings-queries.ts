import type { Selectable, Updateable } from 'kysely'
import type { ViewerTx } from '../../platform/context.ts'
import type { NotificationSettings } from '../../platform/db/schema.ts'

/** The person's settings; undefined where they never changed them. */
export const findSettings = ({
  tx,
  companyId,
  person,
}: ViewerTx): Promise<Selectable<NotificationSettings> | undefined> =>
  tx
    .selectFrom('notification_settings')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('user_id', '=', person.id)
    .executeTakeFirst()

export const writeSettings = (
  { tx, companyId, person }: ViewerTx,
  values: Updateable<NotificationSettings> & { updated_at: Date },
): Promise<Selectable<NotificationSettings>> =>
  tx
    .insertInto('notification_settings')
    .values({ company_id: companyId, user_id: person.id, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
