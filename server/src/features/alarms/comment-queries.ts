import type { Insertable, Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { TriggerComments } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type CommentRow = Selectable<TriggerComments>

/** The comments on a trigger, oldest first. */
export const commentsOf = ({ tx, companyId }: TenantTx, triggerId: string): Promise<CommentRow[]> =>
  tx
    .selectFrom('trigger_comments')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('trigger_id', '=', triggerId)
    .orderBy('id')
    .execute()

export const insertComment = (
  { tx, companyId }: TenantTx,
  row: Omit<Insertable<TriggerComments>, 'company_id'>,
): Promise<CommentRow> =>
  tx
    .insertInto('trigger_comments')
    .values({ ...row, company_id: companyId })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes the comments on the triggers of a sample device. As pipeline. */
export const deleteSampleComments = (tx: Tx, { companyId, id }: { companyId: number; id: number }) =>
  tx
    .deleteFrom('trigger_comments')
    .where('company_id', '=', companyId)
    .where('trigger_id', 'in', (eb) =>
      eb.selectFrom('alarm_triggers').select('id').where('company_id', '=', companyId).where('device_id', '=', id),
    )
    .execute()
