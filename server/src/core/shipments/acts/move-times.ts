import type { Updateable } from 'kysely'
import { moveMadeBy } from '../../../domain/shipment-lifecycle.ts'
import type { Shipments } from '../../../platform/db/schema.ts'
import { invalidField } from '../../../platform/errors/app-error.ts'
import { isSigned, moveRecord } from '../../records/record-queries.ts'
import type { ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { toldEvents } from './told-events.ts'

/**
 * The times of a locked shipment once the milestone that started or completed it has another instant; its record begins or ends then, too. Empty
 * where the milestone did neither, and where its instant stays. Throws VALIDATION where the shipment would end before it starts, or where its record is signed.
 */
export async function moveTimes(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  milestoneId: string,
  at: Date,
): Promise<Pick<Updateable<Shipments>, 'started_at' | 'ended_at'>> {
  const move = moveMadeBy(await toldEvents(ctx, shipment.id), milestoneId)
  if (!move) return {}
  const { started_at, ended_at, cancelled_at, record_id } = shipment
  const isStart = move.kind === 'started'
  const over = ended_at ?? cancelled_at
  if (at.getTime() === (isStart ? started_at : over)?.getTime()) return {}
  if (isStart && over && at >= over) throw invalidField('at', 'rule.afterArrival')
  if (!isStart && started_at && at <= started_at) throw invalidField('at', 'rule.beforeDeparture')
  if (record_id !== null) {
    if (await isSigned(ctx, record_id)) throw invalidField('at', 'rule.recordSigned')
    await moveRecord(ctx, record_id, isStart ? { startAt: at } : { endAt: at })
  }
  return isStart ? { started_at: at } : { ended_at: at }
}
