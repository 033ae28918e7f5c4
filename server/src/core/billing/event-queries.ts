import type { Insertable } from 'kysely'
import type { PaymentEvents } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** Keeps an event of a provider; false where it was sent before. As the login role. */
export async function keepEvent(tx: Tx, event: Insertable<PaymentEvents>): Promise<boolean> {
  const kept = await tx
    .insertInto('payment_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_key')
    .executeTakeFirst()
  return kept !== undefined
}

/** As the login role. */
export const deleteEventsBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('payment_events').where('received_at', '<', before).execute()
